import { Activity, Crown, DatabaseBackup, House, LogOut, ScrollText, ShieldCheck } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { ErrorBoundary } from '@/app/error-page';
import { useSession } from '@/app/session';
import { Brand } from '@/components/brand';
import { Loader } from '@/components/empty-state';
import { OfflineBar } from '@/components/layout/offline-bar';
import { LoadFailure } from '@/components/load-failure';
import { Button, buttonVariants } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Bell } from '@/features/notifications/components/bell';
import { useLogout } from '@/hooks/use-logout';
import { useScrollMemory } from '@/hooks/use-scroll-memory';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { NOT_ADMIN, NOT_SUPERADMIN } from '../mutations';

/** How long a revoked role may go unnoticed on an idle page. */
const ROLE_CHECK_MS = 60_000;

/** The guard only avoids showing empty pages; the database enforces access. */
export function AdminArea() {
  const { status, roles, staffAccess, failed, refresh } = useSession();
  const { pathname, key } = useLocation();
  const isSuperadmin = roles.includes('superadmin');
  const isAdmin = isSuperadmin || roles.includes('admin');
  const superPage = pathname.startsWith(paths.superadmin);
  const known = status === 'in' && !failed;
  const refusal = !known ? undefined : superPage && !isSuperadmin ? NOT_SUPERADMIN : isAdmin ? undefined : NOT_ADMIN;
  useEffect(() => {
    if (refusal) toast.error('Access denied', { description: refusal, id: refusal });
  }, [refusal]);
  useRoleWatch(known && !refusal, refresh);
  useScrollToTop();

  if (status === 'loading') return <Loader label="Loading..." />;
  if (failed) return <LoadFailure title="Error loading data" error={undefined} retry={() => void refresh()} />;
  if (status === 'out' || refusal === NOT_ADMIN) return <Navigate to={paths.adminLogin} replace />;
  if (refusal) return <Navigate to={paths.admin} replace />;
  if (staffAccess === 'verify') return <Navigate to={paths.adminLogin} replace />;
  if (staffAccess === 'enroll') return <Navigate to={paths.security} replace />;
  return (
    <>
      <a
        className="absolute -top-15 left-4 z-100 rounded-md bg-foreground px-4.5 py-3 text-background focus:top-3"
        href="#main"
      >
        Skip to content
      </a>
      <OfflineBar />
      <AdminHeader superPage={superPage} isSuperadmin={isSuperadmin} />
      <ErrorBoundary at={key}>
        <main id="main" tabIndex={-1} className="wrap wrap-anywhere pb-16 outline-none">
          <Suspense fallback={<Loader label="Loading..." />}>
            <Outlet />
          </Suspense>
        </main>
      </ErrorBoundary>
    </>
  );
}

function AdminHeader({ superPage, isSuperadmin }: { superPage: boolean; isSuperadmin: boolean }) {
  const logout = useLogout();
  return (
    <header className="border-border border-b bg-card">
      <div className="wrap flex min-h-18 flex-wrap items-center gap-3 py-2.5 max-sm:min-h-16 max-sm:flex-nowrap max-sm:gap-1 max-[360px]:gap-1">
        <Brand />
        <Chip tone={superPage ? 'amber' : 'green'} className="max-sm:hidden">
          {superPage ? <Crown aria-hidden="true" /> : <ShieldCheck aria-hidden="true" />}
          {superPage ? 'Super Admin' : 'Admin'}
        </Chip>
        <span className="min-w-0 flex-1" />
        <span className={superPage ? 'max-lg:hidden' : undefined}>
          <Bell />
        </span>
        {superPage ? (
          <>
            <Link
              className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:px-2.5' })}
              to={paths.audit}
              aria-label="Audit log"
            >
              <ScrollText aria-hidden="true" />
              <span className="max-sm:hidden">Audit log</span>
            </Link>
            <Link
              className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:px-2.5' })}
              to={paths.health}
              aria-label="System health"
            >
              <Activity aria-hidden="true" />
              <span className="max-lg:hidden">Health</span>
            </Link>
            <Link
              className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:hidden' })}
              to={paths.backups}
              aria-label="Backups"
            >
              <DatabaseBackup aria-hidden="true" />
              <span className="max-lg:hidden">Backups</span>
            </Link>
            <Link
              className={buttonVariants({ variant: 'soft', size: 'small', className: 'max-sm:px-2.5' })}
              to={paths.admin}
            >
              <ShieldCheck className="max-sm:hidden" aria-hidden="true" />
              Admin
            </Link>
          </>
        ) : isSuperadmin ? (
          <Link
            className={buttonVariants({ variant: 'soft', size: 'small', className: 'max-sm:px-2.5' })}
            to={paths.superadmin}
          >
            <Crown className="max-sm:hidden" aria-hidden="true" />
            Super Admin
          </Link>
        ) : null}
        <Link
          className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:px-2.5' })}
          to={paths.home}
          aria-label="Main Page"
        >
          <House aria-hidden="true" />
          <span className="max-sm:hidden">Main Page</span>
        </Link>
        <Button
          variant="ghost"
          size="small"
          className="max-sm:px-2.5"
          aria-label="Logout"
          data-leaves
          onClick={() => void logout()}
        >
          <LogOut aria-hidden="true" />
          <span className="max-sm:hidden">Logout</span>
        </Button>
      </div>
    </header>
  );
}

/** A role can be revoked at any time. The database enforces that immediately; the page detects it at the next check. */
function useRoleWatch(on: boolean, refresh: () => Promise<void>) {
  const { pathname } = useLocation();
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation checks again
  useEffect(() => {
    // The session has just read the roles, so the first check is skipped.
    if (on && !first.current) void latest.current();
    if (on) first.current = false;
  }, [on, pathname]);
  useEffect(() => {
    if (!on) return;
    const look = () => {
      if (document.visibilityState === 'visible') void latest.current();
    };
    const timer = setInterval(look, ROLE_CHECK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [on]);
}

function useScrollToTop() {
  const { pathname } = useLocation();
  const cameBack = useScrollMemory();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the path identifies a page
  useEffect(() => {
    if (!cameBack()) window.scrollTo(0, 0);
  }, [pathname]);
}
