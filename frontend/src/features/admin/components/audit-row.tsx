import {
  Ban,
  CalendarClock,
  Check,
  DatabaseBackup,
  EyeOff,
  Flag,
  KeyRound,
  type LucideIcon,
  Medal,
  Trash2,
  UserCog,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Chip } from '@/components/ui/chip';
import { TableCell, TableRow } from '@/components/ui/table';
import { paths } from '@/lib/paths';
import { actorName, KINDS, sentenceOf } from '../audit';
import type { LinkedEntry } from '../audit-queries';

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

type Tone = ComponentProps<typeof Chip>['tone'];

const CHIPS: Record<string, [tone: Tone, icon: LucideIcon, word: string]> = {
  approve: ['green', Check, 'Approve'],
  unapprove: ['coral', Check, 'Approve'],
  set_badge: ['blue', Medal, 'Badge'],
  set_access: ['amber', KeyRound, 'Access'],
  set_subscription: ['neutral', CalendarClock, 'Subscription'],
  delete_profile: ['coral', Trash2, 'Delete'],
  grant_role: ['green', UserCog, 'Role'],
  revoke_role: ['coral', UserCog, 'Role'],
  reset_factor: ['amber', KeyRound, 'Second factor'],
  request_backup: ['blue', DatabaseBackup, 'Backup'],
  take_report: ['neutral', Flag, 'Report'],
  uphold_report: ['green', Flag, 'Report'],
  dismiss_report: ['neutral', Flag, 'Report'],
  hide_review: ['coral', EyeOff, 'Hide'],
  close_gig: ['coral', Ban, 'Close'],
  cancel_enquiry: ['coral', Ban, 'Cancel'],
  block_sender: ['coral', Ban, 'Block'],
  unblock_sender: ['green', Check, 'Unblock'],
};

export function AuditRow({ entry }: { entry: LinkedEntry }) {
  const [tone, Icon, word] = CHIPS[entry.action] ?? (['neutral', UserCog, entry.action] as const);
  const name = entry.subject ?? 'A deleted account';
  return (
    <TableRow layout="pair">
      <TableCell className="whitespace-nowrap text-muted-foreground tabular-nums max-sm:text-right">
        <time dateTime={entry.created_at}>{TIME.format(new Date(entry.created_at))}</time>
      </TableCell>
      <TableCell className="max-sm:-order-1">
        <Chip tone={tone} className="max-w-full">
          <Icon aria-hidden="true" />
          {word}
        </Chip>
      </TableCell>
      <TableCell className="wrap-anywhere font-semibold max-sm:col-span-full">{sentenceOf(entry)}</TableCell>
      <TableCell label="Record" className="max-sm:col-span-full">
        {entry.profileId && KINDS.includes(entry.subject_type) ? (
          <Link
            className="wrap-anywhere relative z-1 font-semibold underline underline-offset-3 lg:inline-block lg:min-w-44"
            to={paths.manage(entry.subject_type, entry.profileId)}
          >
            {name}
          </Link>
        ) : (
          <span className="wrap-anywhere relative z-1 lg:inline-block lg:min-w-44">{name}</span>
        )}
      </TableCell>
      <TableCell label="Who" className="text-muted-foreground max-sm:col-span-full">
        <span className="wrap-anywhere relative z-1 sm:inline-block sm:min-w-16 lg:min-w-50">
          {actorName(entry.actor)}
        </span>
      </TableCell>
    </TableRow>
  );
}
