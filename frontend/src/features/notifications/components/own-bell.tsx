import { Bell as Icon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { useUnread } from '../use-unread';

const load = () => import('./bell-panel');
const BellPanel = lazy(load);

/** The bell of a signed-in account. Its panel is loaded on demand. */
export default function OwnBell() {
  const { unread, news } = useUnread();
  const [wanted, setWanted] = useState(false);
  const label = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications';
  const face = (
    <>
      <Icon aria-hidden="true" />
      {unread > 0 ? (
        <span className="absolute top-1 right-0 min-w-4.5 rounded-full bg-coral px-1 text-center font-bold text-xs text-ink tabular-nums leading-4.5">
          {unread > 99 ? '99+' : unread}
        </span>
      ) : null}
    </>
  );
  const button = (
    <IconButton
      className="relative"
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={wanted}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      {face}
    </IconButton>
  );
  return (
    <>
      {wanted ? (
        <Suspense fallback={button}>
          <BellPanel label={label} face={face} />
        </Suspense>
      ) : (
        button
      )}
      <span className="sr-only" aria-live="polite">
        {news}
      </span>
    </>
  );
}
