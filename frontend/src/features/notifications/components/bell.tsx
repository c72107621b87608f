import { lazy, Suspense } from 'react';
import { useSession } from '@/app/session';

const OwnBell = lazy(() => import('./own-bell'));

/** The bell in the header, with the number of unread notifications. Visitors have none, and don't load it. */
export function Bell() {
  const { account } = useSession();
  if (!account) return null;
  return (
    <Suspense fallback={<span className="size-11" />}>
      <OwnBell key={account.id} />
    </Suspense>
  );
}
