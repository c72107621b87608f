import { ArrowLeft, CalendarClock, Clock, ListChecks, type LucideIcon, MapPin, Users, Wallet } from 'lucide-react';
import { Link } from 'react-router';
import { NeverPay } from '@/components/never-pay';
import { firstLetter, Picture } from '@/components/picture';
import { buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { VerificationBadge } from '@/components/verification-badge';
import { ReportLink } from '@/features/reports/components/report-link';
import { calendarDayOf, dayOf } from '@/lib/dates';
import { paths } from '@/lib/paths';
import type { Agency, GigDetails } from '../queries';
import { ApplyForm } from './apply-form';
import { OwnApplication } from './own-application';

/** A gig in full, with the form to apply or the state of one's own application beside it. */
export function GigView({ gig, userId, applies }: { gig: GigDetails; userId: string; applies: boolean }) {
  return (
    <main className="wrap wrap-anywhere pt-5 pb-10">
      <Link className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3' })} to={paths.gigs}>
        <ArrowLeft aria-hidden="true" />
        All gigs
      </Link>
      <div className="mt-3 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_400px]">
        <article className={cardVariants({ padded: true, className: 'self-start' })}>
          <AgencyLine agency={gig.agencies} posted={gig.created_at} />
          <h1 className="mt-5 text-[30px] leading-[1.12] lg:text-[38px]">{gig.title}</h1>
          <Openness gig={gig} />
          <Terms gig={gig} />
          <p className="whitespace-pre-line text-[17px] leading-7">{gig.description}</p>
          {gig.requirements ? (
            <>
              <h2 className="mt-7 mb-2 flex items-center gap-2 text-[20px]">
                <ListChecks className="size-5" aria-hidden="true" />
                Requirements
              </h2>
              <p className="whitespace-pre-line text-[17px] leading-7">{gig.requirements}</p>
            </>
          ) : null}
        </article>
        <div className="grid grid-cols-1 gap-4 self-start lg:sticky lg:top-26">
          <NeverPay />
          <aside className={cardVariants({ padded: true })} aria-label="Application">
            <Beside gig={gig} userId={userId} applies={applies} />
          </aside>
          {gig.agencies?.user_id === userId ? null : (
            <ReportLink kind="gig" id={gig.id} name={gig.title} className="justify-self-start" />
          )}
        </div>
      </div>
    </main>
  );
}

function Beside({ gig, userId, applies }: { gig: GigDetails; userId: string; applies: boolean }) {
  if (gig.agencies?.user_id === userId) {
    return (
      <div className="grid gap-4">
        <h2 className="text-[21px]">Your gig</h2>
        <Link className={buttonVariants()} to={paths.applicants(gig.id)}>
          <Users aria-hidden="true" />
          See applicants
        </Link>
      </div>
    );
  }
  const own = gig.gig_applications[0];
  const state = gig.gig_status?.state ?? 'open';
  const again = own?.state === 'withdrawn';
  if (own && !again) return <OwnApplication application={own} agencyId={gig.agencies?.id} />;
  if (!applies) return <p>Only approved and verified influencers can apply.</p>;
  if (state === 'full') return <Ended title="All places are taken" />;
  if (state === 'closed') return <Ended title="This gig is closed" />;
  return (
    <>
      {again ? (
        <p className="mb-4 text-muted-foreground">You withdrew your application. You can apply one more time.</p>
      ) : null}
      <ApplyForm key={gig.id} userId={userId} gigId={gig.id} again={again} />
    </>
  );
}

function Ended({ title }: { title: string }) {
  return (
    <div className="grid gap-3">
      <h2 className="text-[21px]">{title}</h2>
      <p className="text-muted-foreground">It no longer accepts applications.</p>
      <Link className={buttonVariants({ variant: 'outline' })} to={paths.gigs}>
        See other gigs
      </Link>
    </div>
  );
}

function AgencyLine({ agency, posted }: { agency: Agency | null; posted: string }) {
  const name = agency?.name ?? '';
  return (
    <div className="flex items-center gap-3.5">
      <span className="photo-edge relative grid size-14 flex-none place-items-center overflow-hidden rounded-[22%] bg-mint font-bold font-display text-[26px] text-pandan leading-none">
        <Picture
          className="size-full object-cover"
          src={agency?.logo_url}
          alt=""
          width={56}
          height={56}
          fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
        />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 font-semibold text-[17px]">
          {agency ? (
            <Link className="min-w-0 truncate hover:underline" to={paths.agency(agency.id)}>
              {name}
            </Link>
          ) : null}
          <VerificationBadge type={agency?.badge_type} />
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm">
          {agency?.location ? (
            <span className="inline-flex items-center gap-1">
              <MapPin className="size-3.5" aria-hidden="true" />
              {agency.location}
            </span>
          ) : null}
          <span>Posted {dayOf(posted)}</span>
        </p>
      </div>
    </div>
  );
}

function Openness({ gig }: { gig: GigDetails }) {
  const { state, accepted } = gig.gig_status ?? { state: 'open', accepted: 0 };
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2">
      {state === 'open' ? (
        <Chip tone="green">Open</Chip>
      ) : (
        <Chip tone="quiet">{state === 'full' ? 'Full' : 'Closed'}</Chip>
      )}
      {gig.places ? (
        <Chip tone="line">
          {accepted} of {gig.places} {gig.places === 1 ? 'place' : 'places'} taken
        </Chip>
      ) : null}
    </p>
  );
}

function Terms({ gig }: { gig: GigDetails }) {
  const terms: [icon: LucideIcon, name: string, value: string | null][] = [
    [Wallet, 'Budget', gig.budget],
    [Clock, 'Duration', gig.duration],
    [CalendarClock, 'Last day to apply', gig.closes_on && calendarDayOf(gig.closes_on)],
  ];
  const known = terms.filter(([, , value]) => value);
  if (known.length === 0) return <div className="mt-5" />;
  return (
    <dl className="my-6 grid gap-4 border-border border-y py-5 sm:grid-cols-3">
      {known.map(([Icon, name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="flex items-center gap-2 text-muted-foreground text-sm">
            <Icon className="size-4" aria-hidden="true" />
            {name}
          </dt>
          <dd className="mt-0.5 font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
