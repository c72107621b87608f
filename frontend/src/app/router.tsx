// Every route of the product. Pages are loaded when they are opened.
import { isValidElement, Suspense } from 'react';
import { BrowserRouter, createRoutesFromElements, matchRoutes, Route, useRoutes } from 'react-router';
import { AccessGuard } from '@/components/access-guard';
import { Loader } from '@/components/empty-state';
import { loadFilterPanel } from '@/features/search/late-panel';
import { isWideScreen } from '@/hooks/use-wide-screen';
import { accountPaths } from '@/lib/account-paths';
import { type LatePage, latePage } from './late-page';
import { PublicLayout } from './layouts/public-layout';
import { useLinksAhead } from './pages-ahead';
import { HomePage } from './routes/home';

const ExplorePage = latePage(() => import('./routes/explore'));
// On wide screens the filter panel is loaded together with the page.
const SearchPage = latePage(async () => {
  const [page] = await Promise.all([import('./routes/search'), isWideScreen() && loadFilterPanel()]);
  return page;
});
const SearchInfluencersPage = latePage(() => import('./routes/search-influencers'));
const SearchAgenciesPage = latePage(() => import('./routes/search-agencies'));
const SearchVendorsPage = latePage(() => import('./routes/search-vendors'));
const ProfilePage = latePage(() => import('./routes/profile'));
const AgencyPage = latePage(() => import('./routes/agency'));
const GigsPage = latePage(() => import('./routes/gigs'));
const PricingPage = latePage(() => import('./routes/pricing'));
const FavoritesPage = latePage(() => import('./routes/favorites'));
const WatchlistPage = latePage(() => import('./routes/watchlist'));
const MyCollectionsPage = latePage(() => import('./routes/my-collections'));
const HelpCenterPage = latePage(() => import('./routes/help-center'));
const AboutUsPage = latePage(() => import('./routes/about-us'));
const PrivacyPolicyPage = latePage(() => import('./routes/privacy-policy'));
const LicensesPage = latePage(() => import('./routes/licenses'));
const ApiPage = latePage(() => import('./routes/api'));
const AuthPage = latePage(() => import('./routes/auth'));
const MailedPage = latePage(() => import('./routes/mailed'));
const DashboardPage = latePage(() => import('./routes/dashboard'));
const AgencyDashboardPage = latePage(() => import('./routes/agency-dashboard'));
const VendorDashboardPage = latePage(() => import('./routes/vendor-dashboard'));
const AdminLoginPage = latePage(() => import('./routes/admin-login'));
const AdminArea = latePage(() => import('./layouts/admin-layout'));
const AdminPage = latePage(() => import('./routes/admin'));
const ManagePage = latePage(() => import('./routes/manage'));
const SuperadminPage = latePage(() => import('./routes/superadmin'));
const AuditPage = latePage(() => import('./routes/audit'));
const NotFoundPage = latePage(() => import('./routes/not-found'));

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
    isValidElement(route.element) ? (route.element.type as Partial<LatePage<object>>) : {},
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
