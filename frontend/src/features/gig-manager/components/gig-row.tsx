import {
  CalendarClock,
  CalendarDays,
  Clock,
  ListChecks,
  type LucideIcon,
  Pencil,
  Trash2,
  Users,
  Wallet,
} from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Skeleton } from '@/components/ui/skeleton';
import { calendarDayOf, dayOf } from '@/lib/dates';
import { paths } from '@/lib/paths';
import type { OwnGig } from '../queries';

export function GigRow({ gig, onEdit, onDelete }: { gig: OwnGig; onEdit: () => void; onDelete: () => void }) {
  return (
    <li className="flex items-start gap-5 border-border border-t px-6 py-4.5 max-sm:gap-2 max-sm:px-4.5 max-sm:py-4">
      <div className="wrap-anywhere min-w-0 flex-1">
        <h3 className="text-[18px]">{gig.title}</h3>
        <dl className="mt-1.5 flex flex-wrap items-center gap-x-4.5 gap-y-1 text-muted-foreground text-sm tabular-nums">
          <Fact icon={Wallet} name="Budget" value={gig.budget} />
          <Fact icon={Clock} name="Duration" value={gig.duration} />
          <Fact icon={ListChecks} name="Requirements" value={gig.requirements} />
          <Fact icon={CalendarDays} name="Date" value={`Posted ${dayOf(gig.created_at)}`} />
          <Fact icon={CalendarClock} name="Applications" value={deadlineOf(gig)} />
        </dl>
        {gig.gig_status ? (
          <Link
            className={buttonVariants({ variant: 'soft', size: 'small', className: 'mt-3' })}
            to={paths.applicants(gig.id)}
          >
            <Users aria-hidden="true" />
            {applicantsText(gig.gig_status)}
            <span className="sr-only"> for {gig.title}</span>
          </Link>
        ) : null}
      </div>
      <IconButton size="small" aria-label={`Edit gig ${gig.title}`} onClick={onEdit}>
        <Pencil className="size-4.5" aria-hidden="true" />
      </IconButton>
      <IconButton size="small" variant="danger" aria-label={`Delete gig ${gig.title}`} onClick={onDelete}>
        <Trash2 className="size-4.5" aria-hidden="true" />
      </IconButton>
    </li>
  );
}

/** For example '1 applicant' or '12 applicants, 3 new'. */
function applicantsText({ applicants, waiting }: { applicants: number; waiting: number }): string {
  const all = `${applicants.toLocaleString('en')} ${applicants === 1 ? 'applicant' : 'applicants'}`;
  return waiting > 0 ? `${all}, ${waiting.toLocaleString('en')} new` : all;
}

function deadlineOf({ closes_on: day, places, gig_status: status }: OwnGig): string | null {
  if (status?.state === 'full')
    return places === 1 ? 'Full: the place is taken' : `Full: all ${places} places are taken`;
  if (!day) return null;
  return `${status?.state === 'closed' ? 'Closed' : 'Closes'} ${calendarDayOf(day)}`;
}

function Fact({ icon: Icon, name, value }: { icon: LucideIcon; name: string; value: string | null }) {
  if (!value) return null;
  return (
    <div className="flex min-w-0 items-start gap-1.5">
      <dt>
        <Icon className="mt-0.5 size-4" aria-hidden="true" />
        <span className="sr-only">{name}</span>
      </dt>
      <dd className="min-w-0">{value}</dd>
    </div>
  );
}

export function GigRowSkeleton() {
  return (
    <li
      className="flex items-start gap-5 border-border border-t px-6 py-4.5 max-sm:gap-2 max-sm:px-4.5 max-sm:py-4"
      aria-hidden="true"
    >
      <div className="wrap-anywhere min-w-0 flex-1">
        <Skeleton className="h-5.75 w-3/5" />
        <Skeleton className="mt-2 h-4.5 w-2/5" />
      </div>
    </li>
  );
}
