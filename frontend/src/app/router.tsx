// Every address of the product, in one place. Pages are loaded when they are opened.
import { lazy, Suspense } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { AccessGuard } from '@/components/access-guard';
import { Loader } from '@/components/empty-state';
import { loadFilterPanel } from '@/features/search/late-panel';
import { isWideScreen } from '@/hooks/use-wide-screen';
import { accountPaths } from '@/lib/account-paths';
import { PublicLayout } from './layouts/public-layout';
import { HomePage } from './routes/home';

const ExplorePage = lazy(() => import('./routes/explore'));
// Where there is room for it, the panel of filters comes with the page.
const SearchPage = lazy(async () => {
  const [page] = await Promise.all([import('./routes/search'), isWideScreen() && loadFilterPanel()]);
  return page;
});
const SearchInfluencersPage = lazy(() => import('./routes/search-influencers'));
const SearchAgenciesPage = lazy(() => import('./routes/search-agencies'));
const SearchVendorsPage = lazy(() => import('./routes/search-vendors'));
const ProfilePage = lazy(() => import('./routes/profile'));
const AgencyPage = lazy(() => import('./routes/agency'));
const GigsPage = lazy(() => import('./routes/gigs'));
const PricingPage = lazy(() => import('./routes/pricing'));
const FavoritesPage = lazy(() => import('./routes/favorites'));
const WatchlistPage = lazy(() => import('./routes/watchlist'));
const MyCollectionsPage = lazy(() => import('./routes/my-collections'));
const HelpCenterPage = lazy(() => import('./routes/help-center'));
const AboutUsPage = lazy(() => import('./routes/about-us'));
const PrivacyPolicyPage = lazy(() => import('./routes/privacy-policy'));
const LicensesPage = lazy(() => import('./routes/licenses'));
const ApiPage = lazy(() => import('./routes/api'));
const AuthPage = lazy(() => import('./routes/auth'));
const MailedPage = lazy(() => import('./routes/mailed'));
const DashboardPage = lazy(() => import('./routes/dashboard'));
const AgencyDashboardPage = lazy(() => import('./routes/agency-dashboard'));
const VendorDashboardPage = lazy(() => import('./routes/vendor-dashboard'));
const AdminLoginPage = lazy(() => import('./routes/admin-login'));
const AdminArea = lazy(() => import('./layouts/admin-layout'));
const AdminPage = lazy(() => import('./routes/admin'));
const ManagePage = lazy(() => import('./routes/manage'));
const SuperadminPage = lazy(() => import('./routes/superadmin'));
const AuditPage = lazy(() => import('./routes/audit'));
const NotFoundPage = lazy(() => import('./routes/not-found'));

export function AppRouter() {
  return (
    // Without transitions: the search's fields are controlled by the address, and what is typed must not lag behind.
    <BrowserRouter useTransitions={false}>
      <AppRoutes />
    </BrowserRouter>
  );
}

export function AppRoutes() {
  return (
    <Suspense fallback={<Loader label="Loading..." />}>
      <Routes>
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
      </Routes>
    </Suspense>
  );
}
