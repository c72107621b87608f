import { lazy, Suspense } from 'react';
import { useSession } from '@/app/session';

const OwnBell = lazy(() => import('./own-bell'));

/** The bell in the header, with the number of unread notifications. Visitors don't have the bell and don't load its code. */
export function Bell() {
  const { account } = useSession();
  if (!account) return null;
  return (
    <Suspense fallback={<span className="size-11" />}>
      <OwnBell key={account.id} />
    </Suspense>
  );
}
