// A page that throws, or whose files do not load.
import { screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serve } from '@/testing/backend';
import { button, byRole, openApp, openPart, user } from '@/testing/render';
import { ErrorBoundary } from './error-page';
import { lazyPage } from './lazy-page';

const page = vi.hoisted(() => ({ broken: true }));
vi.mock('./routes/pricing', () => ({
  default: () => {
    if (page.broken) throw new Error('broken');
    return <h1>Choose Your Perfect Package</h1>;
  },
}));

const failure = () => screen.findByRole('heading', { name: 'Something went wrong', hidden: true });

beforeEach(() => {
  page.broken = true;
  serve({});
  // React reports every caught error.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('keeps the header usable, and navigation resets the failed page', async () => {
  await openApp('/pricing');
  await failure();
  await user.click(byRole('link', 'About Us'));
  expect(await screen.findByRole('heading', { level: 1, name: 'About Us', hidden: true })).toBeVisible();
  expect(window.location.pathname).toBe('/about-us');
});

it('renders the page again on request', async () => {
  await openApp('/pricing');
  await failure();
  await user.click(button('Try again'));
  await failure();
  page.broken = false;
  await user.click(button('Try again'));
  expect(await screen.findByText('Choose Your Perfect Package')).toBeVisible();
  expect(screen.queryByText('Something went wrong')).toBeNull();
});

it('loads the files of a page again', async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ default: () => 'Here' });
  const Page = lazyPage(load);
  openPart(
    <ErrorBoundary>
      <Suspense fallback="Loading...">
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
  await failure();
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByText('Here')).toBeVisible());
  expect(load).toHaveBeenCalledTimes(2);
});
