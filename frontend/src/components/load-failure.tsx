import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { isUnreachable, messageOf } from '@/lib/errors';
import { UnpluggedDrawing } from './drawings';
import { EmptyState } from './empty-state';

const RETRY_SECONDS = 8;

interface Failure {
  title: string;
  error: unknown;
  retry: () => unknown;
  /** Shown inside a page that has its own title, in place of the list. */
  inside?: boolean;
}

/** Shown instead of content that failed to load. When the server can't be reached, it retries automatically. */
export function LoadFailure(props: Failure) {
  if (isUnreachable(props.error)) return <ServerDown {...props} />;
  const Place = props.inside ? 'div' : 'main';
  return (
    <Place className={props.inside ? '' : 'wrap pt-10'}>
      <EmptyState level={props.inside ? 'h2' : 'h1'} title={props.title} text="Your saved data is safe.">
        <Button onClick={() => props.retry()}>Try again</Button>
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
    <Place
      className={
        inside
          ? 'grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center'
          : 'wrap grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center'
      }
    >
      <UnpluggedDrawing />
      <Title className="mt-7 text-[clamp(30px,4vw,40px)]">Serasi isn't responding</Title>
      <p className="mt-2.5 max-w-[44ch] text-[18px] text-muted-foreground">
        Your saved data is safe. Trying again in <span className="tabular-nums">{seconds}</span>{' '}
        {seconds === 1 ? 'second' : 'seconds'}.
      </p>
      <div className="mt-6.5 flex flex-wrap items-center justify-center gap-3">
        <Button size="large" onClick={() => retry()}>
          <RotateCw aria-hidden="true" />
          Try again
        </Button>
      </div>
      <details className="mt-7 text-muted-foreground text-sm">
        <summary className="min-h-6 cursor-pointer">Error details</summary>
        <p className="mt-1.5 tabular-nums">
          {messageOf(error)} at {since.toLocaleTimeString('en-GB')}
        </p>
      </details>
    </Place>
  );
}

/** Counts down to the next attempt, repeatedly. */
function useRetry(retry: () => unknown): number {
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
