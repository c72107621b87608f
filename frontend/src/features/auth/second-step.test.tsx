// The second step of a sign-in, with a fake backend.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { accountAnswers, refused, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, errors, fill, openApp, user } from '@/testing/render';

afterEach(() => vi.unstubAllGlobals());

it('asks an account with a second factor for a code, and explains a wrong one', async () => {
  const admin = { ...SOMEBODY, roles: ['admin'] };
  const factor = {
    id: 'f1',
    status: 'verified',
    factor_type: 'totp',
    friendly_name: 'Phone',
    created_at: '2026-01-01T00:00:00Z',
  };
  const session = { ...sessionOf(admin), user: { ...sessionOf(admin).user, factors: [factor] } };
  let access = 'verify';
  serve({
    ...accountAnswers(admin),
    'POST /auth/v1/token': () => session,
    'GET /auth/v1/user': () => session.user,
    'GET /rest/v1/rpc/staff_access': () => Response.json(access),
    'GET /auth/v1/factors/recovery-codes': () => ({ remaining: 3 }),
    'POST /auth/v1/factors/f1/challenge': () => ({ id: 'c1', type: 'totp', expires_at: 2_000_000_000 }),
    'POST /auth/v1/factors/f1/verify': ({ body }) => {
      if ((body as { code: string }).code !== '123456')
        return refused(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
      access = 'granted';
      return session;
    },
  });
  await openApp('/admin/login');
  await fill(screen.getByLabelText(/^E-mail/), SOMEBODY.email);
  await fill(screen.getByLabelText(/^Password/), 'serasi-demo');
  await user.click(button('Sign In'));
  const code = await screen.findByLabelText(/^Code/);
  await user.click(button('Continue'));
  await waitFor(() => expect(errors()).toEqual(['Code is required']));
  await fill(code, '000000');
  await user.click(button('Continue'));
  await waitFor(() => expect(errors().join()).toContain("This code isn't right"));
  expect(window.location.pathname).toBe('/admin/login');
  await fill(code, '123456');
  await user.click(button('Continue'));
  await waitFor(() => expect(window.location.pathname).toBe('/admin'));
});
