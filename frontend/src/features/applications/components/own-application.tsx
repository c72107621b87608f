import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { StateBadge } from '@/components/state-badge';
import { AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { dayOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { ringgit } from '@/lib/ringgit';
import { toast } from '@/lib/toast';
import { withdrawApplication } from '../mutations';
import { APPLICATIONS_KEY, type Application } from '../queries';

/** What a state means for the applicant. */
const MEANINGS: Record<string, string> = {
  applied: 'The agency has your application. We’ll tell you when it decides.',
  shortlisted: 'You’re on the shortlist. We’ll tell you when the agency decides.',
  accepted: 'The agency wants to work with you. Contact them to agree on the details.',
  declined: 'The agency chose someone else this time.',
  withdrawn: 'You withdrew your application.',
  cancelled: 'The gig was closed, or the work was cancelled.',
  completed: 'The work is done.',
};

export const isOpen = ({ state }: { state: string }): boolean => state === 'applied' || state === 'shortlisted';

/** The state of one's own application for the gig that the page shows. */
export function OwnApplication(props: { application: Application; agencyId: string | undefined }) {
  const { application, agencyId } = props;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-[21px]">Your application</h2>
        <StateBadge of="application" state={application.state} />
      </div>
      <p role="status">{MEANINGS[application.state]}</p>
      {application.state === 'accepted' && agencyId ? (
        <Link className={buttonVariants()} to={paths.agency(agencyId)}>
          Contact the agency
        </Link>
      ) : null}
      <Sent application={application} />
      {isOpen(application) ? <WithdrawButton application={application} /> : null}
      <Link className={buttonVariants({ variant: 'ghost', size: 'small' })} to={paths.applications}>
        All your applications
      </Link>
    </div>
  );
}

/** The applicant's pitch and quote. */
export function Sent({ application, short = false }: { application: Application; short?: boolean }) {
  return (
    <dl className="grid gap-3 text-[15px]">
      <div>
        <dt className="text-muted-foreground text-sm">Sent</dt>
        <dd>{dayOf(application.created_at)}</dd>
      </div>
      {application.quote === null ? null : (
        <div>
          <dt className="text-muted-foreground text-sm">Quote</dt>
          <dd className="font-semibold tabular-nums">{ringgit(application.quote)}</dd>
        </div>
      )}
      <div>
        <dt className="text-muted-foreground text-sm">Pitch</dt>
        <dd className={short ? 'wrap-anywhere line-clamp-4 whitespace-pre-line' : 'wrap-anywhere whitespace-pre-line'}>
          {application.pitch}
        </dd>
      </div>
    </dl>
  );
}

export function WithdrawButton({ application }: { application: Application }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const withdrawal = useMutation({
    mutationFn: () => withdrawApplication(application.id),
    onSuccess: () => {
      setAsking(false);
      toast.success('Application withdrawn');
    },
    onError: (error) => toast.error('Your application was not withdrawn', { description: reasonOf(error) }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['gigs', 'list'] });
      return client.invalidateQueries({ queryKey: APPLICATIONS_KEY });
    },
  });
  return (
    <>
      <Button variant="outline" onClick={() => setAsking(true)}>
        Withdraw
        <span className="sr-only"> the application for {application.gig_title}</span>
      </Button>
      {asking ? (
        <AlertDialog
          open
          onOpenChange={(open) => !open && !withdrawal.isPending && setAsking(false)}
          title="Withdraw your application?"
          description={
            <p className="wrap-anywhere">
              The agency will no longer consider you for <b>{application.gig_title}</b>. You can apply one more time.
            </p>
          }
        >
          <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
          <Button variant="danger" busy={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
            {withdrawal.isPending ? 'Withdrawing...' : 'Withdraw application'}
          </Button>
        </AlertDialog>
      ) : null}
    </>
  );
}
