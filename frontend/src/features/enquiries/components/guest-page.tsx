import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { NeverPay } from '@/components/never-pay';
import { StateBadge } from '@/components/state-badge';
import { Banner } from '@/components/ui/banner';
import { Button, buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { dayOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { confirmBrief, withdrawAsGuest } from '../mutations';
import { type GuestBrief, type GuestEnquiry, guestBriefQuery } from '../queries';
import { Contact } from './contact';
import { AnswerText, BriefCard } from './enquiry-facts';
import { AskToWithdraw } from './withdraw-button';

const FAILED = 'Failed to load your enquiry';

/** A guest's brief: confirm it, see the answers, withdraw it. */
export function GuestPage({ token }: { token: string }) {
  const client = useQueryClient();
  const query = guestBriefQuery(token);
  const { data, isPending, isError, error, refetch } = useQuery(query);
  const show = (brief: GuestBrief) => client.setQueryData(query.queryKey, brief);
  const confirm = useMutation({
    mutationFn: () => confirmBrief(token),
    onSuccess: (brief) => {
      show(brief);
      toast.success('Enquiry sent');
    },
    onError: (problem) => {
      toast.error('Your enquiry was not sent', { description: reasonOf(problem) });
      void refetch();
    },
  });
  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (isPending) {
    return (
      <main className="wrap pt-10">
        <Loader label="Opening your enquiry..." />
      </main>
    );
  }
  if (!data) return <LinkExpired />;
  const waiting = data.enquiries.some(({ state }) => state === 'unconfirmed');
  const names = data.enquiries.map((each) => each.influencer_name).join(', ');
  return (
    <main className="wrap pt-10 pb-16">
      <div className="mx-auto grid max-w-190 gap-5">
        <header>
          <h1 className="wrap-anywhere text-[32px] leading-[1.1]">{waiting ? 'Send this enquiry?' : 'Your enquiry'}</h1>
          <p className="wrap-anywhere mt-1.5 text-muted-foreground">
            To {names} · {dayOf(data.created_at)}
          </p>
        </header>
        {waiting ? (
          <Banner
            tone="blue"
            icon={MailCheck}
            title="Nothing is sent yet"
            className="max-sm:flex-wrap"
            actions={
              <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
                {confirm.isPending ? 'Sending...' : 'Confirm and send'}
              </Button>
            }
          >
            <p>Confirm to send it. If you didn’t write this, close the page.</p>
          </Banner>
        ) : null}
        <BriefCard brief={data} />
        <ul className="grid gap-4">
          {data.enquiries.map((enquiry) => (
            <li key={enquiry.id}>
              <OneOfThem token={token} enquiry={enquiry} onChange={show} />
            </li>
          ))}
        </ul>
        <NeverPay />
      </div>
    </main>
  );
}

function OneOfThem(props: { token: string; enquiry: GuestEnquiry; onChange: (brief: GuestBrief) => void }) {
  const { token, enquiry } = props;
  const { state, influencer_name: name } = enquiry;
  const withdraw = useMutation({
    mutationFn: () => withdrawAsGuest(token, enquiry.id),
    onSuccess: (brief) => {
      props.onChange(brief);
      toast.success('Enquiry withdrawn');
    },
    onError: (error) => toast.error('The enquiry was not withdrawn', { description: reasonOf(error) }),
  });
  return (
    <Card padded className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="wrap-anywhere text-[20px]">
          {enquiry.influencer_id ? (
            <Link className="underline underline-offset-4" to={paths.profile(enquiry.influencer_id)}>
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        <StateBadge of="enquiry" state={state} />
      </div>
      {state === 'open' ? (
        <p className="text-muted-foreground">
          {name} can answer until {dayOf(enquiry.expires_at)}. We’ll e-mail you the answer.
        </p>
      ) : null}
      {enquiry.answer ? <AnswerText title="Answer" text={enquiry.answer} /> : null}
      {enquiry.reason ? <AnswerText title="Reason" text={enquiry.reason} /> : null}
      {enquiry.influencer_email ? <Contact name={name} email={enquiry.influencer_email} /> : null}
      {state === 'open' || state === 'unconfirmed' ? (
        <AskToWithdraw name={name} busy={withdraw.isPending} onWithdraw={() => withdraw.mutate()} />
      ) : null}
    </Card>
  );
}

function LinkExpired() {
  return (
    <main className="wrap pt-10">
      <EmptyState
        level="h1"
        title="This link is incomplete or has expired"
        text="Open the link in our latest e-mail, or send a new enquiry."
      >
        <Link className={buttonVariants()} to={paths.searchInfluencers}>
          Find Influencers
        </Link>
      </EmptyState>
    </main>
  );
}
