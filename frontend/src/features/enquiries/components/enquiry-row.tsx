import { Link } from 'react-router';
import { Avatar } from '@/components/picture';
import { StateBadge } from '@/components/state-badge';
import { dayOf } from '@/lib/dates';
import { FORMER_MEMBER } from '@/lib/former-member';
import { paths } from '@/lib/paths';
import type { Box, Enquiry } from '../queries';
import { budgetOf } from '../wording';

/** One enquiry of the list: the other party, the deliverables and the state. */
export function EnquiryRow({ enquiry, box }: { enquiry: Enquiry; box: Box }) {
  const { id, influencers, sender_name, sender_company } = enquiry;
  const name = box === 'sent' ? (influencers?.name ?? FORMER_MEMBER) : sender_name;
  const budget = budgetOf(enquiry.budget_from, enquiry.budget_to);
  return (
    <li className="relative flex items-start gap-4 rounded-xl bg-card p-4.5 ring ring-border hover:ring-input max-sm:gap-3 max-sm:p-4">
      <Avatar
        id={influencers?.id ?? id}
        name={name}
        src={box === 'sent' ? (influencers?.profile_image ?? null) : null}
        size={48}
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <h2 className="wrap-anywhere text-[17px]">
            <Link className="after:absolute after:inset-0 after:rounded-xl" to={paths.enquiry(id)}>
              {name}
            </Link>
            {box === 'received' && sender_company ? (
              <span className="font-normal text-muted-foreground"> · {sender_company}</span>
            ) : null}
          </h2>
          <StateBadge of="enquiry" state={enquiry.state} size="small" />
        </div>
        <p className="wrap-anywhere mt-1 line-clamp-2">{enquiry.deliverables}</p>
        <p className="mt-1.5 text-muted-foreground text-sm tabular-nums">
          {dayOf(enquiry.created_at)}
          {budget ? ` · ${budget}` : ''}
        </p>
      </div>
    </li>
  );
}
