import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isUnreachable, messageOf } from '@/lib/errors';
import { UnpluggedDrawing } from './drawings';
import { EmptyState } from './empty-state';

const RETRY_SECONDS = 8;

/** In place of a page whose content did not arrive. When nobody answers at all it tries again by itself. */
export function LoadFailure(props: { title: string; error: unknown; retry: () => void }) {
  if (isUnreachable(props.error)) return <ServerDown error={props.error} retry={props.retry} />;
  return (
    <main className="wrap" style={{ paddingTop: 40 }}>
      <EmptyState level="h1" title={props.title} text="Nothing you saved is lost.">
        <button type="button" className="btn primary" onClick={props.retry}>
          Try again
        </button>
      </EmptyState>
    </main>
  );
}

function ServerDown({ error, retry }: { error: unknown; retry: () => void }) {
  const seconds = useRetry(retry);
  const [since] = useState(() => new Date());
  return (
    <main className="wrap nf">
      <UnpluggedDrawing />
      <h1 className="notice-title">Serasi isn't answering</h1>
      <p className="muted notice-text">
        Nothing you saved is lost. Trying again in <span className="num">{seconds}</span>{' '}
        {seconds === 1 ? 'second' : 'seconds'}.
      </p>
      <div className="row wrapf notice-actions">
        <button type="button" className="btn primary lg" onClick={retry}>
          <RotateCw className="i" aria-hidden="true" />
          Try again
        </button>
      </div>
      <details className="sm muted report">
        <summary>For a report to us</summary>
        <p className="num">
          {messageOf(error)} at {since.toLocaleTimeString('en-GB')}
        </p>
      </details>
    </main>
  );
}

/** Counts down to the next attempt, again and again. */
function useRetry(retry: () => void): number {
  const [seconds, setSeconds] = useState(RETRY_SECONDS);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (seconds <= 1) retry();
      setSeconds(seconds <= 1 ? RETRY_SECONDS : seconds - 1);
    }, 1000);
    return () => clearTimeout(timer);
  }, [seconds, retry]);
  return seconds;
}
