import { expect, it } from 'vitest';
import { destination, doorBefore, doorNamed, PORTALS } from './portals';

it('lets each role in at its own door, also among others', () => {
  expect(PORTALS.vendor.accepts(['influencer', 'vendor'])).toBe(true);
  expect(PORTALS.vendor.accepts(['influencer', 'agency', 'admin', 'superadmin'])).toBe(false);
  expect(PORTALS.agency.accepts(['agency'])).toBe(true);
  expect(PORTALS.influencer.accepts([])).toBe(false);
});

it('knows a door by its name and by what lies behind', () => {
  expect(doorNamed('vendor').signIn).toBe('/vendor-auth');
  expect(doorNamed('admin').signIn).toBe('/admin/login');
  expect(doorNamed('nowhere').signIn).toBe('/auth');
  expect(doorNamed(null).signIn).toBe('/auth');
  expect(doorBefore('/agency-dashboard')?.name).toBe('agency');
  expect(doorBefore('/pricing')).toBeUndefined();
});

it('leads to where the link says, but not to the dashboard of a role that is not held', () => {
  const agency = { roles: ['agency' as const], dashboardPath: '/agency-dashboard' };
  expect(destination('/pricing', agency)).toBe('/pricing');
  expect(destination('/vendor-dashboard', agency)).toBe('/agency-dashboard');
  expect(destination('/', agency)).toBe('/agency-dashboard');
  expect(destination(undefined, agency)).toBe('/agency-dashboard');
  const both = { roles: ['agency' as const, 'vendor' as const], dashboardPath: '/agency-dashboard' };
  expect(destination('/vendor-dashboard', both)).toBe('/vendor-dashboard');
  expect(destination('/vendor-dashboard', { roles: [], dashboardPath: undefined })).toBe('/');
});
