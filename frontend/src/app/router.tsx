// Every route of the product. Pages are loaded when they are opened.
import { type ComponentType, createElement, isValidElement, Suspense, useLayoutEffect } from 'react';
import { BrowserRouter, matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router';
import { AccessGuard } from '@/components/access-guard';
import { Loader } from '@/components/empty-state';
import { loadFilterPanel } from '@/features/search/lazy-panel';
import { isWideScreen } from '@/hooks/use-wide-screen';
import { accountPaths } from '@/lib/account-paths';
import pages from '@/lib/pages.json';
import { ErrorBoundary } from './error-page';
import { PublicLayout } from './layouts/public-layout';
import { type LazyPage, lazyPage } from './lazy-page';
import { useLinksAhead } from './pages-ahead';
import { HomePage } from './routes/home';

// On wide screens the filter panel is loaded together with the page.
const SearchPage = lazyPage(async () => {
  const [page] = await Promise.all([import('./routes/search'), isWideScreen() && loadFilterPanel()]);
  return page;
});
const SearchInfluencersPage = lazyPage(() => import('./routes/search-influencers'));
const SearchAgenciesPage = lazyPage(() => import('./routes/search-agencies'));
const ProfilePage = lazyPage(() => import('./routes/profile'));
const AgencyPage = lazyPage(() => import('./routes/agency'));
const GigsPage = lazyPage(() => import('./routes/gigs'));
const GigPage = lazyPage(() => import('./routes/gig'));
const SecurityPage = lazyPage(() => import('./routes/security'));
const UnsubscribePage = lazyPage(() => import('./routes/unsubscribe'));
const AuthPage = lazyPage(() => import('./routes/auth'));
const MailedPage = lazyPage(() => import('./routes/mailed'));
const DashboardPage = lazyPage(() => import('./routes/dashboard'));
const AgencyDashboardPage = lazyPage(() => import('./routes/agency-dashboard'));
const VendorDashboardPage = lazyPage(() => import('./routes/vendor-dashboard'));
const AdminLoginPage = lazyPage(() => import('./routes/admin-login'));
const AdminArea = lazyPage(() => import('./layouts/admin-layout'));
const AdminPage = lazyPage(() => import('./routes/admin'));
const ManagePage = lazyPage(() => import('./routes/manage'));
const SuperadminPage = lazyPage(() => import('./routes/superadmin'));
const AuditPage = lazyPage(() => import('./routes/audit'));
const BackupsPage = lazyPage(() => import('./routes/backups'));
const HealthPage = lazyPage(() => import('./routes/health'));
const EnquirePage = lazyPage(() => import('./routes/profile-enquire'));
const ReportsPage = lazyPage(() => import('./routes/reports'));
const ReportDeskPage = lazyPage(() => import('./routes/report-desk'));
const EnquiryPage = lazyPage(() => import('./routes/one-enquiry'));
const NotFoundPage = lazyPage(() => import('./routes/not-found'));

const IN_PUBLIC_LAYOUT: RouteObject[] = [
  { index: true, element: <HomePage /> },
  {
    element: <AccessGuard page="influencer" />,
    children: [
      { path: '/search', element: <SearchPage /> },
      { path: '/search/influencers', element: <SearchInfluencersPage /> },
      { path: '/profile/:id', element: <ProfilePage /> },
    ],
  },
  {
    element: <AccessGuard page="agencies" />,
    children: [
      { path: '/search/agencies', element: <SearchAgenciesPage /> },
      { path: '/agency/:id', element: <AgencyPage /> },
    ],
  },
  {
    element: <AccessGuard page="gigs" />,
    children: [
      { path: '/gigs', element: <GigsPage /> },
      { path: '/gigs/:id', element: <GigPage /> },
    ],
  },
  { path: '/account/security', element: <SecurityPage /> },
  { path: '/profile/:id/enquire', element: <EnquirePage /> },
  { path: '/enquire', element: <EnquirePage /> },
  { path: '/enquiries/:id', element: <EnquiryPage /> },
  { path: '*', element: <NotFoundPage /> },
];

const ELSEWHERE: RouteObject[] = [
  { path: '/auth', element: <AuthPage userType="influencer" /> },
  { path: '/agency-auth', element: <AuthPage userType="agency" /> },
  { path: '/vendor-auth', element: <AuthPage userType="vendor" /> },
  ...Object.entries(accountPaths).map(([page, path]) => ({
    path,
    element: <MailedPage page={page as keyof typeof accountPaths} />,
  })),
  { path: '/unsubscribe', element: <UnsubscribePage /> },
  { path: '/dashboard', element: <DashboardPage /> },
  { path: '/agency-dashboard', element: <AgencyDashboardPage /> },
  { path: '/vendor-dashboard', element: <VendorDashboardPage /> },
  { path: '/admin/login', element: <AdminLoginPage /> },
  {
    element: <AdminArea />,
    children: [
      { path: '/admin', element: <AdminPage /> },
      { path: '/admin/influencer/:id', element: <ManagePage kind="influencer" /> },
      { path: '/admin/agency/:id', element: <ManagePage kind="agency" /> },
      { path: '/admin/vendor/:id', element: <ManagePage kind="vendor" /> },
      { path: '/admin/reports', element: <ReportsPage /> },
      { path: '/admin/reports/:id', element: <ReportDeskPage /> },
      { path: '/superadmin', element: <SuperadminPage /> },
      { path: '/superadmin/audit', element: <AuditPage /> },
      { path: '/superadmin/health', element: <HealthPage /> },
      { path: '/superadmin/backups', element: <BackupsPage /> },
    ],
  },
];

const FILES = import.meta.glob<{ default: ComponentType }>(['./routes/*.tsx', '!./routes/home.tsx']);

/** The remaining pages of pages.json: `/privacy-policy` and `/enquiry/:token` are `privacy-policy.tsx` and `enquiry.tsx`. */
function remaining(listed: RouteObject[]): RouteObject[] {
  const allPaths = (routes: RouteObject[]): unknown[] =>
    routes.flatMap(({ path, index, children = [] }) => [index ? '/' : path, ...allPaths(children)]);
  const paths = allPaths(listed);
  const unlisted = Object.values(pages).filter(({ path }) => !paths.includes(path));
  return unlisted.map(({ path }) => {
    const name = path
      .split('/')
      .filter((part) => part && !part.startsWith(':'))
      .join('-');
    const load = FILES[`./routes/${name}.tsx`];
    if (!load) throw new Error(`${path} has no route, and there is no src/app/routes/${name}.tsx`);
    return { path, element: createElement(lazyPage(load)) };
  });
}

const ROUTES: RouteObject[] = [
  { element: <PublicLayout />, children: [...IN_PUBLIC_LAYOUT, ...remaining([...IN_PUBLIC_LAYOUT, ...ELSEWHERE])] },
  ...ELSEWHERE,
];

/** Preloads the page of a path, so that it opens without a fallback. */
export async function loadPage(path: string) {
  const pages = (matchRoutes(ROUTES, path) ?? []).map(({ route }) =>
    isValidElement(route.element) ? (route.element.type as Partial<LazyPage<object>>) : {},
  );
  // The page itself reports a failed load.
  await Promise.allSettled(pages.map((page) => page.load?.()));
}

export function AppRouter() {
  useLinksAhead(loadPage);
  return (
    // Without transitions: the URL controls the search fields, and typed text must appear immediately.
    <BrowserRouter useTransitions={false}>
      <AppRoutes />
    </BrowserRouter>
  );
}

export function AppRoutes() {
  const page = useRoutes(ROUTES);
  const { key, pathname } = useLocation();
  // Before the effects of a page that has a title of its own, such as a profile.
  useLayoutEffect(() => {
    const pattern = matchRoutes(ROUTES, pathname)?.at(-1)?.route.path ?? '/';
    const known = Object.values(pages).find(({ path }) => path === pattern);
    if (known) document.title = `${known.title} · Serasi`;
  }, [pathname]);
  return (
    <ErrorBoundary at={key}>
      <Suspense fallback={<Loader label="Loading..." />}>{page}</Suspense>
    </ErrorBoundary>
  );
}
