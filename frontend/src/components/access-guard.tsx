import { lazy, type ReactNode } from 'react';
import { Outlet } from 'react-router';
import { useSession } from '@/app/session';
import type { Page } from '@/lib/session';
import { mayBeSignedIn } from '@/lib/stored-session';
import { Loader } from './empty-state';

const PageClosed = lazy(() => import('./page-closed'));

/**
 * A part of the product that an admin can close to one account. Visitors and accounts without a record are not
 * affected, and visitors never wait for the answer. Without children it is a
 * route's element and guards the routes below it.
 */
export function AccessGuard({ page, children }: { page: Page; children?: ReactNode }) {
  const { status, closedPages } = useSession();
  if (closedPages.includes(page)) return <PageClosed page={page} />;
  if (status === 'loading' && mayBeSignedIn()) return <Loader label="Loading..." />;
  return children ?? <Outlet />;
}
