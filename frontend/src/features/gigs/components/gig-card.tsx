import { CalendarClock, ChevronRight, Clock, ListChecks, type LucideIcon, Wallet } from 'lucide-react';
import { Link } from 'react-router';
import { firstLetter, Picture } from '@/components/picture';
import { StateBadge } from '@/components/state-badge';
import { Card, cardVariants } from '@/components/ui/card';
import { Chip, chipVariants } from '@/components/ui/chip';
import { Skeleton } from '@/components/ui/skeleton';
import { ReportLink } from '@/features/reports/components/report-link';
import { calendarDayOf, dayOf } from '@/lib/dates';
import { paths } from '@/lib/paths';
import type { Gig } from '../queries';

export function GigCard({ gig }: { gig: Gig }) {
  const agency = gig.agencies?.name ?? '';
  const terms: [icon: LucideIcon, name: string, value: string | null][] = [
    [Wallet, 'Budget', gig.budget],
    [Clock, 'Duration', gig.duration],
    [ListChecks, 'Requirements', gig.requirements],
    [
      CalendarClock,
      gig.gig_status?.state === 'closed' ? 'Closed' : 'Closes',
      gig.closes_on && calendarDayOf(gig.closes_on),
    ],
  ];
  const known = terms.filter(([, , value]) => value);
  return (
    <article className={cardVariants({ className: 'flex flex-col p-5.5' })}>
      <div className="flex items-center gap-3">
        <span className="photo-edge relative grid size-11.5 flex-none place-items-center overflow-hidden rounded-[22%] bg-mint font-bold font-display text-[22px] text-pandan leading-none">
          <Picture
            className="size-full object-cover"
            src={gig.agencies?.logo_url}
            alt=""
            width={46}
            height={46}
            fallback={<span aria-hidden="true">{firstLetter(agency)}</span>}
          />
        </span>
        <div className="min-w-0 flex-1">
          <b className="block truncate leading-5">{agency}</b>
          <span className="text-muted-foreground text-xs">Posted {dayOf(gig.created_at)}</span>
        </div>
      </div>
      <h3 className="wrap-anywhere mt-4 mb-2 text-[22px] leading-6.25">{gig.title}</h3>
      <p className="wrap-anywhere line-clamp-3 text-[15px] text-muted-foreground">{gig.description}</p>
      {known.length > 0 ? (
        <dl className="mt-4.5 mb-5 grid gap-2.5 border-border border-t pt-4 text-[14.5px]">
          {known.map(([Icon, name, value]) => (
            <div className="flex items-start gap-2.5" key={name}>
              <dt className="flex w-31 flex-none items-center gap-2 text-muted-foreground">
                <Icon className="size-4.25" aria-hidden="true" />
                {name}
              </dt>
              <dd className="wrap-anywhere min-w-0 font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        <Link
          className={chipVariants({ tone: 'green', size: 'tall', className: 'hover:underline' })}
          to={paths.gig(gig.id)}
        >
          <span>View Details</span>
          <span className="sr-only"> of {gig.title}</span>
          <ChevronRight aria-hidden="true" />
        </Link>
        <span className="flex items-center gap-1">
          <State gig={gig} />
          <ReportLink compact kind="gig" id={gig.id} name={gig.title} />
        </span>
      </div>
    </article>
  );
}

/** The state of the reader's application, or that applications are closed. */
function State({ gig }: { gig: Gig }) {
  const own = gig.gig_applications?.[0]?.state;
  if (own) return <StateBadge of="application" state={own} />;
  if (gig.gig_status?.state === 'full') return <Chip tone="quiet">Full</Chip>;
  if (gig.gig_status?.state === 'closed') return <Chip tone="quiet">Closed</Chip>;
  return null;
}

export function GigCardSkeleton() {
  return (
    <Card className="flex flex-col p-5.5" aria-hidden="true">
      <div className="flex items-center gap-3">
        <Skeleton radius="logo" className="block size-11.5 flex-none" />
        <div className="min-w-0 flex-1">
          <Skeleton className="block h-4.5 w-1/2" />
          <Skeleton className="mt-1.5 block h-3.5 w-2/5" />
        </div>
      </div>
      <Skeleton className="mt-4.25 block h-6 w-[85%]" />
      <Skeleton className="mt-2.5 block h-16.5" />
      <Skeleton className="mt-8.5 mb-5 block h-24" />
      <Skeleton className="mt-auto block h-8.5 w-31.5" />
    </Card>
  );
}
