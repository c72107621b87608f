import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { calendarDayOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { nameOf } from '../columns';
import { type Decision, decideApplication, declineApplications, MOST_DECLINED } from '../mutations';
import { APPLICATIONS_KEY, type Applicant, applicantList, type GigDetails } from '../queries';
import { ApplicantBoard } from './applicant-board';
import { ApplicantPanel } from './applicant-panel';
import { DecisionDialog, type PendingDecision } from './decision-dialog';
import { isOpen } from './own-application';

const FAILED = 'Failed to load applicants';

/** All applicants for a gig, for its agency. */
export function Applicants({ gig }: { gig: GigDetails }) {
  const list = useInfiniteQuery(applicantList(gig.id));
  const { data, isPending, error, refetch } = list;
  const applicants = data?.pages.flat() ?? [];
  return (
    <main className="wrap wrap-anywhere pt-5 pb-10">
      <Link
        className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3' })}
        to={`${paths.agencyDashboard}?tab=gigs`}
      >
        <ArrowLeft aria-hidden="true" />
        Your gigs
      </Link>
      <div className="pt-3 pb-6">
        <h1 className="text-[30px] leading-[1.12] lg:text-[38px]">Applicants</h1>
        <p className="mt-2 text-[17px] text-muted-foreground">
          <Link className="underline" to={paths.gig(gig.id)}>
            {gig.title}
          </Link>
          {openness(gig)}
        </p>
      </div>
      {isPending ? (
        <Loader label="Loading applicants..." />
      ) : !data ? (
        <LoadFailure inside title={FAILED} error={error} retry={refetch} />
      ) : applicants.length === 0 ? (
        <EmptyState title="Nobody has applied yet" text="We’ll e-mail you when someone does, at most once an hour." />
      ) : (
        <Board gig={gig} applicants={applicants} />
      )}
      <LoadMore list={list} failed={FAILED} />
    </main>
  );
}

function openness({ gig_status: status, places, closes_on: day }: GigDetails): string {
  const taken = places ? `, ${status?.accepted ?? 0} of ${places} ${places === 1 ? 'place' : 'places'} taken` : '';
  const until = day ? `, ${status?.state === 'closed' ? 'closed' : 'closes'} ${calendarDayOf(day)}` : '';
  return taken + until;
}

function Board({ gig, applicants }: { gig: GigDetails; applicants: Applicant[] }) {
  const wide = useWideScreen();
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const opened = applicants.find(({ id }) => id === params.get('applicant'));
  const open = (id: string | undefined) => setParams(id ? { applicant: id } : {}, { replace: true });
  const selected = applicants.filter((applicant) => chosen.has(applicant.id) && isOpen(applicant));
  const { pending, ask, confirm, cancel, decide, busy } = useDecisions(() => setChosen(new Set()));
  const panel = opened ? (
    <ApplicantPanel
      applicant={opened}
      isTitled={wide}
      isFull={gig.places !== null && (gig.gig_status?.accepted ?? 0) >= gig.places}
      busy={busy}
      onDecide={(decision) => decide(decision, opened)}
    />
  ) : null;
  function toggle(id: string) {
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }
  return (
    <>
      <div className="mb-4 flex min-h-11 flex-wrap items-center gap-3">
        <p role="status">
          {selected.length > 0 ? `${selected.length} selected` : 'Select applicants to decline several at once.'}
        </p>
        {selected.length > 0 ? (
          <>
            <Button
              variant="outline"
              disabled={selected.length > MOST_DECLINED}
              onClick={() => ask({ decision: 'declined', applicants: selected })}
            >
              Decline {selected.length}
            </Button>
            <Button variant="ghost" onClick={() => setChosen(new Set())}>
              Clear selection
            </Button>
          </>
        ) : null}
      </div>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
        <ApplicantBoard applicants={applicants} open={opened?.id} chosen={chosen} onOpen={open} onChoose={toggle} />
        {wide ? (
          <aside className={cardVariants({ padded: true, className: 'lg:sticky lg:top-26' })} aria-label="Applicant">
            {panel ?? <p className="text-muted-foreground">Select an applicant to see their profile and pitch.</p>}
          </aside>
        ) : null}
      </div>
      {!wide && opened ? (
        <Dialog open onOpenChange={(isShown) => !isShown && open(undefined)} title={nameOf(opened)}>
          {panel}
        </Dialog>
      ) : null}
      {pending ? <DecisionDialog pending={pending} busy={busy} onConfirm={confirm} onClose={cancel} /> : null}
    </>
  );
}

const DONE: Record<Decision, string> = { shortlisted: 'Shortlisted', accepted: 'Accepted', declined: 'Declined' };

/** Decisions about one applicant or several. The final ones ask first. */
function useDecisions(onDone: () => void) {
  const client = useQueryClient();
  const [pending, setPending] = useState<PendingDecision>();
  const work = useMutation({
    mutationFn: async ({ decision, applicants }: { decision: Decision; applicants: Applicant[] }) => {
      const [only] = applicants;
      if (applicants.length === 1 && only) return [await decideApplication(only.id, decision)];
      return declineApplications(applicants.map(({ id }) => id));
    },
    onSuccess: (outcomes, { decision, applicants: [first] }) => {
      const done = outcomes.filter(({ state }) => state === decision).length;
      toast.success(
        outcomes.length === 1 && first
          ? `${DONE[decision]}: ${nameOf(first)}`
          : `Declined ${done} of ${outcomes.length} applicants`,
      );
      setPending(undefined);
      onDone();
    },
    onError: (error) => {
      toast.error('Nothing was decided', { description: reasonOf(error) });
      setPending(undefined);
    },
    // An applicant may have withdrawn, or the last place may have been filled, in the meantime.
    onSettled: () => client.invalidateQueries({ queryKey: APPLICATIONS_KEY }),
  });
  return {
    pending,
    busy: work.isPending,
    ask: setPending,
    cancel: () => setPending(undefined),
    confirm: () => pending && work.mutate(pending),
    decide: (decision: Decision, applicant: Applicant) =>
      decision === 'shortlisted'
        ? work.mutate({ decision, applicants: [applicant] })
        : setPending({ decision, applicants: [applicant] }),
  };
}
