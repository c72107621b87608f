import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SignInFirst } from '@/components/signed-in';
import { buttonVariants } from '@/components/ui/button';
import { dayOf } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { nounOf, type ReportKind, subjectPath } from '../kinds';
import { reportableKey, reportableQuery } from '../queries';
import { ReportForm } from './report-form';

/** The form, or the reason why there is none: not signed in, nothing to report, or already reported. */
export function ReportPage({ kind, id }: { kind: ReportKind; id: string }) {
  const { status, account } = useSession();
  const userId = account?.id ?? '';
  const [sent, setSent] = useState(false);
  const client = useQueryClient();
  const subject = useQuery({ ...reportableQuery(userId, kind, id), enabled: status === 'in', staleTime: 0 });

  if (status === 'loading') return <Loader label="Loading..." />;
  if (status === 'out') {
    return (
      <SignInFirst
        to={`report this ${nounOf(kind)}`}
        text="We can then tell you the outcome. You return to this page afterwards."
      />
    );
  }
  if (sent) return <Sent kind={kind} id={id} />;
  if (subject.isPending) return <Loader label="Loading..." />;
  if (!subject.data) {
    return <LoadFailure title="Failed to load the form" error={subject.error} retry={subject.refetch} />;
  }
  const { name, reportedAt } = subject.data;
  if (reportedAt) return <AlreadyReported kind={kind} id={id} at={reportedAt} />;
  if (name === null) return <NothingToReport />;
  return (
    <main className="wrap wrap-anywhere max-w-180 pt-5">
      <Link
        className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3' })}
        to={subjectPath(kind, id)}
      >
        <ArrowLeft aria-hidden="true" />
        Back
      </Link>
      <h1 className="mt-3 text-[34px] leading-[1.08]">Report this {nounOf(kind)}</h1>
      <p className="mt-2 text-[17px] text-muted-foreground">
        {name ? (
          <>
            You are reporting <b className="text-foreground">{name}</b>.{' '}
          </>
        ) : null}
        An admin reviews every report. Nobody else can see who sent it.
      </p>
      <ReportForm
        key={`${kind} ${id}`}
        userId={userId}
        kind={kind}
        id={id}
        onSent={() => setSent(true)}
        onChanged={() => void client.invalidateQueries({ queryKey: reportableKey(userId, kind, id) })}
      />
    </main>
  );
}

/** Takes the focus, because it replaces a form that had it. Screen readers then read the title. */
function Notice(props: { title: string; text: string; children?: ReactNode }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <main className="wrap pt-10 outline-none" ref={place} tabIndex={-1}>
      <EmptyState level="h1" title={props.title} text={props.text}>
        {props.children}
      </EmptyState>
    </main>
  );
}

function BackLink({ kind, id }: { kind: ReportKind; id: string }) {
  return (
    <Link className={buttonVariants()} to={subjectPath(kind, id)}>
      Go back
    </Link>
  );
}

function Sent({ kind, id }: { kind: ReportKind; id: string }) {
  return (
    <Notice title="Thank you for your report" text="An admin will review it. We’ll e-mail you the outcome.">
      <BackLink kind={kind} id={id} />
    </Notice>
  );
}

function AlreadyReported({ kind, id, at }: { kind: ReportKind; id: string; at: string }) {
  return (
    <Notice
      title={`You already reported this ${nounOf(kind)}`}
      text={`We received your report on ${dayOf(at)}. We’ll e-mail you once an admin has decided.`}
    >
      <BackLink kind={kind} id={id} />
    </Notice>
  );
}

export function NothingToReport() {
  return (
    <Notice title="There is nothing to report" text="It was removed, or you don’t have access to it.">
      <Link className={buttonVariants()} to={paths.home}>
        Return Home
      </Link>
    </Notice>
  );
}
