import { ChevronRight, Clock, ListChecks, type LucideIcon, Wallet } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { dayOf } from '@/lib/dates';
import type { Gig } from '../queries';

/** 'View Details' is only a badge, because gigs have no page of their own. */
export function GigCard({ gig }: { gig: Gig }) {
  const agency = gig.agencies?.name ?? '';
  const terms: [icon: LucideIcon, name: string, value: string | null][] = [
    [Wallet, 'Budget', gig.budget],
    [Clock, 'Duration', gig.duration],
    [ListChecks, 'Requirements', gig.requirements],
  ];
  const known = terms.filter(([, , value]) => value);
  return (
    <article className="card gig">
      <div className="row">
        <span className="lg gig-logo">
          <Picture
            src={gig.agencies?.logo_url}
            alt=""
            width={46}
            height={46}
            fallback={<span aria-hidden="true">{firstLetter(agency)}</span>}
          />
        </span>
        <div className="grow">
          <b className="trunc gig-agency">{agency}</b>
          <span className="xs muted">Posted {dayOf(gig.created_at)}</span>
        </div>
      </div>
      <h3>{gig.title}</h3>
      <p className="muted clamp3">{gig.description}</p>
      {known.length > 0 ? (
        <dl className="kv">
          {known.map(([Icon, name, value]) => (
            <div key={name}>
              <dt>
                <Icon className="i" aria-hidden="true" />
                {name}
              </dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <span className="chip green gig-details">
        View Details
        <ChevronRight className="i" aria-hidden="true" />
      </span>
    </article>
  );
}

export function GigCardSkeleton() {
  return (
    <div className="card gig" aria-hidden="true">
      <div className="row">
        <span className="sk gig-logo" />
        <div className="grow">
          <span className="sk" style={{ height: 18, width: '50%' }} />
          <span className="sk" style={{ height: 14, width: '40%', marginTop: 6 }} />
        </div>
      </div>
      <span className="sk" style={{ height: 24, marginTop: 17, width: '85%' }} />
      <span className="sk" style={{ height: 66, marginTop: 10 }} />
      <span className="sk" style={{ height: 96, margin: '34px 0 20px' }} />
      <span className="sk" style={{ height: 34, width: 126, marginTop: 'auto' }} />
    </div>
  );
}
