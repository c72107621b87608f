import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { StateBadge } from '@/components/state-badge';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { KIND_LABELS, nounOf, reasonLabel } from '@/features/reports/kinds';
import { momentOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { FORMER_MEMBER } from '@/lib/former-member';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { LIVE } from '../live';
import { decideReport, unblockSender } from '../report-mutations';
import { REPORTS_KEY, type ReportDetails, reportQuery } from '../report-queries';
import { actionLabel } from '../reports';
import { useShortcutSetting, useShortcuts } from '../use-shortcuts';
import { ReportCompare } from './report-compare';
import { ReportDecision } from './report-decision';

/** One report: what was reported, by whom and why, and the decision. */
export function ReportDesk({ id }: { id: string }) {
  const { data, isPending, error, refetch } = useQuery({ ...reportQuery(id), ...LIVE, staleTime: 0 });
  const navigate = useNavigate();
  useShortcuts(useShortcutSetting().on, { u: () => navigate(paths.reports) });
  return (
    <>
      <Link className={buttonVariants({ variant: 'ghost', size: 'small', className: 'mt-5 -ml-3' })} to={paths.reports}>
        <ArrowLeft aria-hidden="true" />
        Reports
      </Link>
      {isPending ? (
        <Loader label="Loading..." />
      ) : data === undefined ? (
        <LoadFailure inside title="Error loading data" error={error} retry={() => void refetch()} />
      ) : data === null ? (
        <EmptyState level="h1" title="Report not found" text="The link may be incomplete." />
      ) : (
        <Details details={data} />
      )}
    </>
  );
}

function Details({ details }: { details: ReportDetails }) {
  const { report, now, others } = details;
  const isProfile = report.kind === 'influencer' || report.kind === 'agency' || report.kind === 'vendor';
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 pt-2 pb-5">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <StateBadge of="report" state={report.state} />
            <Chip>{KIND_LABELS[report.kind]}</Chip>
          </p>
          <h1 className="wrap-anywhere mt-2.5 text-[30px] leading-[1.12]">{report.title || 'Untitled'}</h1>
        </div>
        {isProfile && now ? (
          <Link
            className={buttonVariants({ variant: 'outline' })}
            to={paths.manage(report.kind, report.subject_id)}
            state={{ from: paths.reportDesk(report.id) }}
          >
            Manage {nounOf(report.kind)}
          </Link>
        ) : null}
      </div>
      <div className="grid items-start gap-5 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_380px]">
        <div className="grid gap-5 *:min-w-0">
          <Reported details={details} />
          <ReportCompare snapshot={report.snapshot} now={now} at={momentOf(report.created_at)} />
        </div>
        <div className="grid gap-5 lg:sticky lg:top-6">
          <Desk details={details} />
          {others.length > 0 ? <Others others={others} noun={nounOf(report.kind)} /> : null}
        </div>
      </div>
    </>
  );
}

function Reported({ details: { report, reporter, owner } }: { details: ReportDetails }) {
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="reported">
      <h2 className="text-[20px]" id="reported">
        {reasonLabel(report.reason)}
      </h2>
      {report.words ? (
        <p className="mt-2.5 flex flex-wrap gap-1.5">
          {report.words.map((word) => (
            <Chip key={word} tone="amber" className="max-w-full">
              <span className="truncate">{word}</span>
            </Chip>
          ))}
        </p>
      ) : null}
      {report.text ? <p className="wrap-anywhere mt-2.5 whitespace-pre-line">{report.text}</p> : null}
      <dl className="mt-4 grid gap-1.5 border-border border-t pt-3.5 text-[15px]">
        <Fact name="Reported by">{report.words ? 'Serasi, because of these words' : (reporter ?? FORMER_MEMBER)}</Fact>
        <Fact name="Reported">{momentOf(report.created_at)}</Fact>
        <Fact name="Account">{owner ?? 'Guest or former member'}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3 max-sm:flex-col max-sm:gap-0">
      <dt className="w-30 flex-none text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </div>
  );
}

/** The next step, or the decision. */
function Desk({ details }: { details: ReportDetails }) {
  const { report, owner, now } = details;
  const desk = report.report_decisions;
  if (report.state === 'open') return <Take id={report.id} />;
  if (report.state === 'taken') {
    return (
      <section className={cardVariants({ padded: true })} aria-labelledby="decide">
        <h2 className="text-[20px]" id="decide">
          Decide
        </h2>
        <p className="mt-1.5 text-[15px] text-muted-foreground">
          Taken by {desk?.taker}
          {desk?.taken_at ? `, ${momentOf(desk.taken_at)}` : null}
        </p>
        <ReportDecision
          key={report.id}
          report={report}
          remaining={{ subject: now !== null, owner: owner !== undefined }}
        />
      </section>
    );
  }
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="decision">
      <h2 className="text-[20px]" id="decision">
        {report.state === 'upheld' ? 'Upheld' : 'Dismissed'}
      </h2>
      <p className="wrap-anywhere mt-2 whitespace-pre-line">{desk?.note}</p>
      {desk && desk.actions.length > 0 ? (
        <ul className="mt-3 grid gap-1.5">
          {desk.actions.map((action) => (
            <li key={action}>
              <Chip tone="coral">{actionLabel(action)}</Chip>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="mt-3 text-[15px] text-muted-foreground">
        By {desk?.decider}
        {report.decided_at ? `, ${momentOf(report.decided_at)}` : null}
      </p>
      {details.block ? <Unblock block={details.block} name={owner ?? 'the account'} /> : null}
    </section>
  );
}

/** Refetches everything about reports, also after a failure: another admin may have been faster. */
function useDesk<Input>(failed: string, act: (input: Input) => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onError: (error) => toast.error(failed, { description: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: REPORTS_KEY }),
  });
}

function Take({ id }: { id: string }) {
  const take = useDesk('The report was not taken', () => decideReport({ id, decision: 'taken' }));
  const press = () => {
    if (!take.isPending) take.mutate(undefined);
  };
  useShortcuts(useShortcutSetting().on, { t: press });
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="take">
      <h2 className="text-[20px]" id="take">
        Not taken yet
      </h2>
      <p className="mt-1.5 mb-4 text-[15px] text-muted-foreground">
        Take the report so that other admins can see that you’re working on it.
      </p>
      <Button full busy={take.isPending} onClick={press}>
        <UserCheck aria-hidden="true" />
        Take report
      </Button>
    </section>
  );
}

function Unblock({ block, name }: { block: string; name: string }) {
  const unblock = useDesk('The account was not unblocked', () => unblockSender(block));
  return (
    <div className="mt-4 border-border border-t pt-4">
      <p className="wrap-anywhere mb-3 text-[15px]">{name} is blocked.</p>
      <Button variant="outline" busy={unblock.isPending} onClick={() => unblock.mutate(undefined)}>
        Unblock
      </Button>
    </div>
  );
}

function Others({ others, noun }: { others: ReportDetails['others']; noun: string }) {
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="others">
      <h2 className="text-[18px]" id="others">
        Other reports about this {noun}
      </h2>
      <ul className="mt-2.5 grid gap-1">
        {others.map((other) => (
          <li key={other.id} className="flex flex-wrap items-center justify-between gap-2">
            <Link className="min-h-6 underline underline-offset-3" to={paths.reportDesk(other.id)}>
              {reasonLabel(other.reason)}
            </Link>
            <StateBadge of="report" state={other.state} size="small" />
          </li>
        ))}
      </ul>
    </section>
  );
}
