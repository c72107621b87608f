import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

let offlineSince: Date | undefined = navigator.onLine ? undefined : new Date();

function watchConnection(report: () => void): () => void {
  const note = () => {
    offlineSince = navigator.onLine ? undefined : new Date();
    report();
  };
  window.addEventListener('online', note);
  window.addEventListener('offline', note);
  return () => {
    window.removeEventListener('online', note);
    window.removeEventListener('offline', note);
  };
}

/** Above the header while the device has no connection; the page stays readable. */
export function OfflineBar() {
  const since = useSyncExternalStore(watchConnection, () => offlineSince);
  return (
    <div role="status">
      {since ? (
        <div className="offline-bar">
          <WifiOff className="i" aria-hidden="true" />
          <span>
            <b>You're offline.</b> This was loaded before{' '}
            {since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}. Changes can't be saved until
            you're back.
          </span>
        </div>
      ) : null}
    </div>
  );
}
