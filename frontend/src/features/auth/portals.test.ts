import { expect, it } from 'vitest';
import { destination, loginForDashboard, loginNamed, PORTALS } from './portals';

it('each portal accepts its own role, also among others', () => {
  expect(PORTALS.vendor.accepts(['influencer', 'vendor'])).toBe(true);
  expect(PORTALS.vendor.accepts(['influencer', 'agency', 'admin', 'superadmin'])).toBe(false);
  expect(PORTALS.agency.accepts(['agency'])).toBe(true);
  expect(PORTALS.influencer.accepts([])).toBe(false);
});

it('finds a sign-in page by its name and by its dashboard', () => {
  expect(loginNamed('vendor').signIn).toBe('/vendor-auth');
  expect(loginNamed('admin').signIn).toBe('/admin/login');
  expect(loginNamed('nowhere').signIn).toBe('/auth');
  expect(loginNamed(null).signIn).toBe('/auth');
  expect(loginForDashboard('/agency-dashboard')?.name).toBe('agency');
  expect(loginForDashboard('/pricing')).toBeUndefined();
});

it('follows the link, except to the dashboard of a role the account lacks', () => {
  const agency = { roles: ['agency' as const], dashboardPath: '/agency-dashboard' };
  expect(destination('/pricing', agency)).toBe('/pricing');
  expect(destination('/vendor-dashboard', agency)).toBe('/agency-dashboard');
  expect(destination('/', agency)).toBe('/agency-dashboard');
  expect(destination(undefined, agency)).toBe('/agency-dashboard');
  const both = { roles: ['agency' as const, 'vendor' as const], dashboardPath: '/agency-dashboard' };
  expect(destination('/vendor-dashboard', both)).toBe('/vendor-dashboard');
  expect(destination('/vendor-dashboard', { roles: [], dashboardPath: undefined })).toBe('/');
});
