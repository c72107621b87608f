import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

const sinceNow = () => (navigator.onLine ? undefined : new Date());
// The build prerenders this component without a browser.
let offlineSince = typeof window === 'undefined' ? undefined : sinceNow();

function watchConnection(report: () => void): () => void {
  const note = () => {
    offlineSince = sinceNow();
    report();
  };
  window.addEventListener('online', note);
  window.addEventListener('offline', note);
  return () => {
    window.removeEventListener('online', note);
    window.removeEventListener('offline', note);
  };
}

/** Shown above the header while the device is offline; the page stays readable. */
export function OfflineBar() {
  const since = useSyncExternalStore(
    watchConnection,
    () => offlineSince,
    () => undefined,
  );
  return (
    <div role="status">
      {since ? (
        <div className="flex items-center gap-3 print:hidden bg-kunyit px-[max(var(--gutter),calc(50vw-640px))] py-2.5 text-[15px] text-ink leading-5">
          <WifiOff aria-hidden="true" />
          <span>
            <b>You're offline.</b> This page was loaded before{' '}
            {since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}. Changes can't be saved until
            you're back.
          </span>
        </div>
      ) : null}
    </div>
  );
}
