import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { lazyPage } from '@/app/lazy-page';
import { usePageState, useSession } from '@/app/session';
import type { Page } from '@/lib/session';
import { Loader } from './empty-state';

const PageClosed = lazyPage(() => import('./page-closed'));
const LoadFailure = lazyPage(async () => ({ default: (await import('./load-failure')).LoadFailure }));

/**
 * Guards a part of the product that an admin can close to one account. Without children it works as a layout route that
 * guards its nested routes.
 */
export function AccessGuard({ page, children }: { page: Page; children?: ReactNode }) {
  const state = usePageState(page);
  const { refresh } = useSession();
  if (state === 'closed') return <PageClosed page={page} />;
  if (state === 'failed') {
    return <LoadFailure title="This page could not be loaded" error={undefined} retry={refresh} />;
  }
  if (state === 'unknown') return <Loader label="Loading..." />;
  return children ?? <Outlet />;
}
