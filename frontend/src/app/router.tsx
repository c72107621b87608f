// Every address of the product, in one place. Pages are loaded when they are opened.
import { lazy, Suspense } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { Loader } from '@/components/empty-state';
import { PublicLayout } from './layouts/public-layout';
import { HomePage } from './routes/home';

const SearchPage = lazy(() => import('./routes/search'));
const ProfilePage = lazy(() => import('./routes/profile'));
const AuthPage = lazy(() => import('./routes/auth'));
const DashboardPage = lazy(() => import('./routes/dashboard'));
const AdminLoginPage = lazy(() => import('./routes/admin-login'));
const AdminPage = lazy(() => import('./routes/admin'));
const OnItsWayPage = lazy(() => import('./routes/on-its-way'));
const NotFoundPage = lazy(() => import('./routes/not-found'));

/** Pages of the plan that are not built yet: they say so. */
const ON_THEIR_WAY = [
  ['/explore', 'Explore'],
  ['/search/influencers', 'Search Influencers'],
  ['/search/agencies', 'Search Agencies'],
  ['/search/vendors', 'Search Vendors'],
  ['/agency/:id', 'Agency profile'],
  ['/gigs', 'Available Gigs'],
  ['/pricing', 'Choose Your Perfect Package'],
  ['/favorites', 'Favorites'],
  ['/watchlist', 'Watchlist'],
  ['/my-collections', 'My Collections'],
  ['/agency-auth', 'Agency Login'],
  ['/vendor-auth', 'Vendor Login'],
  ['/agency-dashboard', 'Agency dashboard'],
  ['/vendor-dashboard', 'Vendor dashboard'],
  ['/superadmin', 'Super Admin'],
  ['/admin/influencer/:id', 'Manage influencer'],
  ['/admin/agency/:id', 'Manage agency'],
  ['/admin/vendor/:id', 'Manage vendor'],
  ['/help-center', 'Help Center'],
  ['/about-us', 'About Us'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/licenses', 'Licenses'],
  ['/api', 'API'],
] as const;

export function AppRouter() {
  return (
    // Without transitions: the search's fields are controlled by the address, and what is typed must not lag behind.
    <BrowserRouter useTransitions={false}>
      <Suspense fallback={<Loader label="Loading..." />}>
        <Routes>
          <Route element={<PublicLayout />}>
            <Route index element={<HomePage />} />
            <Route path="/search" element={<SearchPage />} />
            <Route path="/profile/:id" element={<ProfilePage />} />
            {ON_THEIR_WAY.map(([path, title]) => (
              <Route key={path} path={path} element={<OnItsWayPage title={title} />} />
            ))}
            <Route path="*" element={<NotFoundPage />} />
          </Route>
          <Route path="/auth" element={<AuthPage />} />
          <Route path="/dashboard" element={<DashboardPage />} />
          <Route path="/admin/login" element={<AdminLoginPage />} />
          <Route path="/admin" element={<AdminPage />} />
        </Routes>
      </Suspense>
    </BrowserRouter>
  );
}
