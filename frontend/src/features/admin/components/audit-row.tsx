import { CalendarClock, Check, KeyRound, type LucideIcon, Medal, Trash2, UserCog } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import { KINDS, sentenceOf } from '../audit';
import type { LinkedEntry } from '../audit-queries';

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const CHIPS: Record<string, [tone: string, icon: LucideIcon, word: string]> = {
  approve: ['green', Check, 'Approve'],
  unapprove: ['coral', Check, 'Approve'],
  set_badge: ['blue', Medal, 'Badge'],
  set_access: ['amber', KeyRound, 'Access'],
  set_subscription: ['', CalendarClock, 'Subscription'],
  delete_profile: ['coral', Trash2, 'Delete'],
  grant_role: ['green', UserCog, 'Role'],
  revoke_role: ['coral', UserCog, 'Role'],
};

export function AuditRow({ entry }: { entry: LinkedEntry }) {
  const [tone, Icon, word] = CHIPS[entry.action] ?? (['', UserCog, entry.action] as const);
  const name = entry.subject ?? 'A deleted account';
  return (
    <tr>
      <td className="num muted time">
        <time dateTime={entry.created_at}>{TIME.format(new Date(entry.created_at))}</time>
      </td>
      <td>
        <span className={`chip ${tone}`}>
          <Icon className="i" aria-hidden="true" />
          {word}
        </span>
      </td>
      <td className="what">{sentenceOf(entry)}</td>
      <td data-l="Record">
        {entry.profileId && KINDS.includes(entry.subject_type) ? (
          <Link className="text-link" to={paths.manage(entry.subject_type, entry.profileId)}>
            {name}
          </Link>
        ) : (
          <span className="account-email">{name}</span>
        )}
      </td>
      <td data-l="Who" className="muted">
        <span className="account-email">{entry.actor}</span>
      </td>
    </tr>
  );
}
