// Every route of the product. Pages are loaded when they are opened.
import { isValidElement, Suspense } from 'react';
import { BrowserRouter, createRoutesFromElements, matchRoutes, Route, useRoutes } from 'react-router';
import { AccessGuard } from '@/components/access-guard';
import { Loader } from '@/components/empty-state';
import { loadFilterPanel } from '@/features/search/lazy-panel';
import { isWideScreen } from '@/hooks/use-wide-screen';
import { accountPaths } from '@/lib/account-paths';
import { PublicLayout } from './layouts/public-layout';
import { type LazyPage, lazyPage } from './lazy-page';
import { useLinksAhead } from './pages-ahead';
import { HomePage } from './routes/home';

const ExplorePage = lazyPage(() => import('./routes/explore'));
// On wide screens the filter panel is loaded together with the page.
const SearchPage = lazyPage(async () => {
  const [page] = await Promise.all([import('./routes/search'), isWideScreen() && loadFilterPanel()]);
  return page;
});
const SearchInfluencersPage = lazyPage(() => import('./routes/search-influencers'));
const SearchAgenciesPage = lazyPage(() => import('./routes/search-agencies'));
const SearchVendorsPage = lazyPage(() => import('./routes/search-vendors'));
const ProfilePage = lazyPage(() => import('./routes/profile'));
const AgencyPage = lazyPage(() => import('./routes/agency'));
const GigsPage = lazyPage(() => import('./routes/gigs'));
const PricingPage = lazyPage(() => import('./routes/pricing'));
const FavoritesPage = lazyPage(() => import('./routes/favorites'));
const WatchlistPage = lazyPage(() => import('./routes/watchlist'));
const MyCollectionsPage = lazyPage(() => import('./routes/my-collections'));
const HelpCenterPage = lazyPage(() => import('./routes/help-center'));
const AboutUsPage = lazyPage(() => import('./routes/about-us'));
const PrivacyPolicyPage = lazyPage(() => import('./routes/privacy-policy'));
const LicensesPage = lazyPage(() => import('./routes/licenses'));
const ApiPage = lazyPage(() => import('./routes/api'));
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
const NotFoundPage = lazyPage(() => import('./routes/not-found'));

const ROUTES = createRoutesFromElements(
  <>
    <Route element={<PublicLayout />}>
      <Route index element={<HomePage />} />
      <Route path="/explore" element={<ExplorePage />} />
      <Route path="/search/vendors" element={<SearchVendorsPage />} />
      <Route element={<AccessGuard page="influencer" />}>
        <Route path="/search" element={<SearchPage />} />
        <Route path="/search/influencers" element={<SearchInfluencersPage />} />
        <Route path="/profile/:id" element={<ProfilePage />} />
      </Route>
      <Route element={<AccessGuard page="agencies" />}>
        <Route path="/search/agencies" element={<SearchAgenciesPage />} />
        <Route path="/agency/:id" element={<AgencyPage />} />
      </Route>
      <Route element={<AccessGuard page="gigs" />}>
        <Route path="/gigs" element={<GigsPage />} />
      </Route>
      <Route path="/pricing" element={<PricingPage />} />
      <Route path="/favorites" element={<FavoritesPage />} />
      <Route path="/watchlist" element={<WatchlistPage />} />
      <Route path="/my-collections" element={<MyCollectionsPage />} />
      <Route path="/help-center" element={<HelpCenterPage />} />
      <Route path="/about-us" element={<AboutUsPage />} />
      <Route path="/privacy-policy" element={<PrivacyPolicyPage />} />
      <Route path="/licenses" element={<LicensesPage />} />
      <Route path="/api" element={<ApiPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
    <Route path="/auth" element={<AuthPage userType="influencer" />} />
    <Route path="/agency-auth" element={<AuthPage userType="agency" />} />
    <Route path="/vendor-auth" element={<AuthPage userType="vendor" />} />
    {Object.entries(accountPaths).map(([page, path]) => (
      <Route key={page} path={path} element={<MailedPage page={page as keyof typeof accountPaths} />} />
    ))}
    <Route path="/dashboard" element={<DashboardPage />} />
    <Route path="/agency-dashboard" element={<AgencyDashboardPage />} />
    <Route path="/vendor-dashboard" element={<VendorDashboardPage />} />
    <Route path="/admin/login" element={<AdminLoginPage />} />
    <Route element={<AdminArea />}>
      <Route path="/admin" element={<AdminPage />} />
      <Route path="/admin/influencer/:id" element={<ManagePage kind="influencer" />} />
      <Route path="/admin/agency/:id" element={<ManagePage kind="agency" />} />
      <Route path="/admin/vendor/:id" element={<ManagePage kind="vendor" />} />
      <Route path="/superadmin" element={<SuperadminPage />} />
      <Route path="/superadmin/audit" element={<AuditPage />} />
    </Route>
  </>,
);

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
  return <Suspense fallback={<Loader label="Loading..." />}>{page}</Suspense>;
}
