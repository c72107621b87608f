import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Role } from '@/lib/session';
import { GigsGate } from './gigs-gate';

const OTHERS = 'Gigs are for influencers whose profile is approved and verified.';

it.each<[Role, string]>([
  ['influencer', 'You can see gigs once an admin has approved your profile and verified your account.'],
  ['agency', `${OTHERS} Your own gigs are on your dashboard, under Gigs.`],
  ['vendor', OTHERS],
  ['admin', OTHERS],
  ['superadmin', OTHERS],
])('explains to the role %s who can see gigs', (role, sentence) => {
  render(<GigsGate roles={[role]} dashboardPath="/dashboard" />, { wrapper: MemoryRouter });
  expect(screen.getByRole('heading', { level: 1, name: 'Approval & Verification Required' })).toBeInTheDocument();
  expect(screen.getByText(sentence)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
});

it('sends an account without a dashboard home', () => {
  render(<GigsGate roles={[]} dashboardPath={undefined} />, { wrapper: MemoryRouter });
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
});
