// Renders pages as main.tsx does: with the query client, the session, the router and the toasts.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { toast } from 'sonner';
import { vi } from 'vitest';
import { AppRouter, loadPage } from '@/app/router';
import { SessionProvider } from '@/app/session';
import { Toaster } from '@/components/ui/toaster';
import { queryClient } from '@/lib/query-client';
import { SESSION_KEY } from '@/lib/stored-session';

// A busy machine takes longer than a second for a page.
configure({ asyncUtilTimeout: 5000 });
vi.setConfig({ testTimeout: 20_000 });

/** Without pauses between keystrokes, and without a look at every style before a click. */
export const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

/** Nothing of the test before: its answers, its storage, its toasts. */
function reset() {
  cleanup();
  // happy-dom matches every rule for every element whose role is asked for; the toasts bring hundreds.
  for (const style of document.head.querySelectorAll('style')) style.remove();
  toast.dismiss();
  queryClient.clear();
  window.localStorage.clear();
  window.sessionStorage.clear();
}

/** The whole product at an address; `session`: of somebody who has signed in before. */
export async function openApp(path: string, session?: object) {
  reset();
  if (session) window.localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  window.history.replaceState(null, '', path);
  await loadPage(window.location.pathname);
  return show(<AppRouter />);
}

/** One part of a page. */
export function openPart(part: ReactNode) {
  reset();
  return show(<MemoryRouter>{part}</MemoryRouter>);
}

const show = (content: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        {content}
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>,
  );

/** Without a look at what hides it, which takes happy-dom most of a test's time. */
export const byRole = (role: string, name: string | RegExp) => screen.getByRole(role, { name, hidden: true });

export const button = (name: string | RegExp) => byRole('button', name);

/** Replaces what a field holds. */
export async function fill(field: HTMLElement, text: string) {
  await user.clear(field);
  // At once: long texts would be typed key by key.
  if (text) await user.click(field).then(() => user.paste(text));
}

export const errors = () => [...document.querySelectorAll('.errmsg')].map((message) => message.textContent);

export const toasts = () => [...document.querySelectorAll('[data-sonner-toast]')].map((toast) => toast.textContent);
