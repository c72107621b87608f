import { lazy, type ReactNode } from 'react';
import { Outlet } from 'react-router';
import { usePageState } from '@/app/session';
import type { Page } from '@/lib/session';
import { Loader } from './empty-state';

const PageClosed = lazy(() => import('./page-closed'));

/**
 * Guards a part of the product that an admin can close to one account. Without children it works as a layout route that
 * guards its nested routes.
 */
export function AccessGuard({ page, children }: { page: Page; children?: ReactNode }) {
  const state = usePageState(page);
  if (state === 'closed') return <PageClosed page={page} />;
  if (state === 'unknown') return <Loader label="Loading..." />;
  return children ?? <Outlet />;
}
