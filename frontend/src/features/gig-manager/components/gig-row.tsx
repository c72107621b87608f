import { CalendarDays, Clock, ListChecks, type LucideIcon, Pencil, Trash2, Wallet } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { Skeleton } from '@/components/ui/skeleton';
import { dayOf } from '@/lib/dates';
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
        </dl>
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
