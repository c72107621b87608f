import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { NeverPay } from '@/components/never-pay';
import { StateBadge } from '@/components/state-badge';
import { buttonVariants } from '@/components/ui/button';
import { ReportLink } from '@/features/reports/components/report-link';
import { dayOf } from '@/lib/dates';
import { FORMER_MEMBER } from '@/lib/former-member';
import { paths } from '@/lib/paths';
import { contactQuery, type Enquiry, enquiryQuery } from '../queries';
import { AnswerForm } from './answer-form';
import { Contact } from './contact';
import { AnswerText, BriefCard } from './enquiry-facts';
import { WithdrawButton } from './withdraw-button';

const FAILED = 'Failed to load the enquiry';

/** One enquiry, for its sender or its recipient. */
export function EnquiryPage({ userId, id }: { userId: string; id: string }) {
  const { data, isPending, isError, error, refetch } = useQuery(enquiryQuery(userId, id));
  if (isPending) {
    return (
      <main className="wrap pt-10">
        <Loader label="Loading the enquiry..." />
      </main>
    );
  }
  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (!data) {
    return (
      <main className="wrap pt-10">
        <EmptyState level="h1" title="Enquiry not found" text="Only its sender and its recipient can open an enquiry.">
          <Link className={buttonVariants()} to={paths.enquiries}>
            See your enquiries
          </Link>
        </EmptyState>
      </main>
    );
  }
  return <OneEnquiry userId={userId} enquiry={data} />;
}

function OneEnquiry({ userId, enquiry }: { userId: string; enquiry: Enquiry }) {
  const { id, state, influencers, sender_company } = enquiry;
  const isSender = enquiry.sender_user_id === userId;
  const contact = useQuery({ ...contactQuery(userId, id), enabled: state === 'accepted' });
  const other = isSender ? (influencers?.name ?? FORMER_MEMBER) : enquiry.sender_name;
  return (
    <main className="wrap pt-6 pb-16">
      <Link
        className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3' })}
        to={isSender ? `${paths.enquiries}?box=sent` : `${paths.enquiries}?box=received`}
      >
        <ArrowLeft aria-hidden="true" />
        Enquiries
      </Link>
      <div className="mx-auto mt-4 grid max-w-190 gap-5">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="wrap-anywhere min-w-0">
            <h1 className="text-[32px] leading-[1.1]">
              {isSender ? 'To ' : 'From '}
              {isSender && influencers ? (
                <Link className="underline decoration-2 underline-offset-4" to={paths.profile(influencers.id)}>
                  {other}
                </Link>
              ) : (
                other
              )}
            </h1>
            <p className="mt-1.5 text-muted-foreground">
              {sender_company && !isSender ? `${sender_company} · ` : ''}
              {dayOf(enquiry.created_at)}
              {state === 'open' ? ` · expires on ${dayOf(enquiry.expires_at)}` : ''}
            </p>
          </div>
          <StateBadge of="enquiry" state={state} size="medium" />
        </header>
        <BriefCard brief={enquiry}>
          {enquiry.answer ? (
            <AnswerText title={isSender ? `${other} answered` : 'Your answer'} text={enquiry.answer} />
          ) : null}
          {enquiry.reason ? <AnswerText title="Reason" text={enquiry.reason} /> : null}
        </BriefCard>
        {contact.data ? <Contact name={other} email={contact.data} /> : null}
        {state === 'unconfirmed' ? (
          <p className="text-muted-foreground" role="note">
            We e-mailed you a link. Open it and confirm to send your brief.
          </p>
        ) : null}
        {!isSender && state === 'open' ? <AnswerForm userId={userId} enquiry={enquiry} /> : null}
        {isSender && (state === 'open' || state === 'unconfirmed') ? (
          <WithdrawButton userId={userId} id={id} name={other} />
        ) : null}
        <NeverPay />
        {isSender ? null : (
          <ReportLink kind="enquiry" id={id} name={`the enquiry from ${other}`} className="-ml-3 justify-self-start" />
        )}
      </div>
    </main>
  );
}
