import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { IconButton } from '@/components/ui/icon-button';
import { momentOf } from '@/lib/dates';
import { type Notification, pathOf, sentenceOf } from '../kinds';

/** One notification: leads to its page, and can be marked as read without opening it. */
export function NotificationRow(props: {
  row: Notification;
  onSeen: (id: string) => void;
  /** Called when its page is opened. */
  onLeave?: () => void;
}) {
  const { row, onSeen, onLeave } = props;
  const path = pathOf(row);
  const unread = row.seen_at === null;
  const text = (
    <>
      <span className={unread ? 'wrap-anywhere block font-semibold' : 'wrap-anywhere block'}>
        {unread ? <span className="sr-only">Unread: </span> : null}
        {sentenceOf(row)}
      </span>
      <time className="block text-[14px] text-muted-foreground" dateTime={row.created_at}>
        {momentOf(row.created_at)}
      </time>
    </>
  );
  return (
    <li className="relative flex items-start gap-1 rounded-[10px] pl-5.5 hover:bg-secondary">
      {unread ? <span className="absolute top-5 left-2 size-2 rounded-full bg-coral" aria-hidden="true" /> : null}
      {path ? (
        <Link
          className="min-h-11 min-w-0 flex-1 rounded-[10px] py-2.5 text-[15px] leading-snug"
          to={path}
          onClick={() => {
            if (unread) onSeen(row.id);
            onLeave?.();
          }}
        >
          {text}
        </Link>
      ) : (
        <div className="min-w-0 flex-1 py-2.5 text-[15px] leading-snug">{text}</div>
      )}
      {unread ? (
        <IconButton aria-label={`Mark as read: ${sentenceOf(row)}`} onClick={() => onSeen(row.id)}>
          <Check className="size-4.5" aria-hidden="true" />
        </IconButton>
      ) : null}
    </li>
  );
}
