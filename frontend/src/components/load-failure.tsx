import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isUnreachable, messageOf } from '@/lib/errors';
import { UnpluggedDrawing } from './drawings';
import { EmptyState } from './empty-state';

const RETRY_SECONDS = 8;

interface Failure {
  title: string;
  error: unknown;
  retry: () => void;
  /** Shown inside a page that has its own title, in place of the list. */
  inside?: boolean;
}

/** Shown instead of content that failed to load. When the server can't be reached, it retries automatically. */
export function LoadFailure(props: Failure) {
  if (isUnreachable(props.error)) return <ServerDown {...props} />;
  const Place = props.inside ? 'div' : 'main';
  return (
    <Place className={props.inside ? '' : 'wrap'} style={{ paddingTop: props.inside ? 0 : 40 }}>
      <EmptyState level={props.inside ? 'h2' : 'h1'} title={props.title} text="Nothing you saved is lost.">
        <button type="button" className="btn primary" onClick={() => props.retry()}>
          Try again
        </button>
      </EmptyState>
    </Place>
  );
}

function ServerDown({ error, retry, inside }: Failure) {
  const seconds = useRetry(retry);
  const [since] = useState(() => new Date());
  const Place = inside ? 'div' : 'main';
  const Title = inside ? 'h2' : 'h1';
  return (
    <Place className={inside ? 'nf' : 'wrap nf'}>
      <UnpluggedDrawing />
      <Title className="notice-title">Serasi isn't answering</Title>
      <p className="muted notice-text">
        Nothing you saved is lost. Trying again in <span className="num">{seconds}</span>{' '}
        {seconds === 1 ? 'second' : 'seconds'}.
      </p>
      <div className="row wrapf notice-actions">
        <button type="button" className="btn primary lg" onClick={() => retry()}>
          <RotateCw className="i" aria-hidden="true" />
          Try again
        </button>
      </div>
      <details className="sm muted report">
        <summary>Error details</summary>
        <p className="num">
          {messageOf(error)} at {since.toLocaleTimeString('en-GB')}
        </p>
      </details>
    </Place>
  );
}

/** Counts down to the next attempt, repeatedly. */
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
