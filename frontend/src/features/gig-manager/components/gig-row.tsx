import { CalendarDays, Clock, ListChecks, type LucideIcon, Pencil, Trash2, Wallet } from 'lucide-react';
import { dayOf } from '@/lib/dates';
import type { OwnGig } from '../queries';

export function GigRow({ gig, onEdit, onDelete }: { gig: OwnGig; onEdit: () => void; onDelete: () => void }) {
  return (
    <li className="row gig-row">
      <div className="grow">
        <h3>{gig.title}</h3>
        <dl className="row wrapf sm muted num">
          <Fact icon={Wallet} name="Budget" value={gig.budget} />
          <Fact icon={Clock} name="Duration" value={gig.duration} />
          <Fact icon={ListChecks} name="Requirements" value={gig.requirements} />
          <Fact icon={CalendarDays} name="Date" value={`Posted ${dayOf(gig.created_at)}`} />
        </dl>
      </div>
      <button type="button" className="ib s" aria-label={`Edit gig ${gig.title}`} onClick={onEdit}>
        <Pencil className="i i18" aria-hidden="true" />
      </button>
      <button type="button" className="ib s remove" aria-label={`Delete gig ${gig.title}`} onClick={onDelete}>
        <Trash2 className="i i18" aria-hidden="true" />
      </button>
    </li>
  );
}

function Fact({ icon: Icon, name, value }: { icon: LucideIcon; name: string; value: string | null }) {
  if (!value) return null;
  return (
    <div className="row">
      <dt>
        <Icon className="i i16" aria-hidden="true" />
        <span className="sr">{name}</span>
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

export function GigRowSkeleton() {
  return (
    <li className="row gig-row" aria-hidden="true">
      <div className="grow">
        <span className="sk" style={{ height: 23, width: '60%' }} />
        <span className="sk" style={{ height: 18, width: '40%', marginTop: 8 }} />
      </div>
    </li>
  );
}
