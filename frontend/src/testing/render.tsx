// Renders pages like main.tsx does: with the query client, the session, the router and the toasts.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { AppRouter, loadPage } from '@/app/router';
import { SessionProvider } from '@/app/session';
import { Toaster } from '@/components/ui/toaster';
import { queryClient } from '@/lib/query-client';
import { SESSION_KEY } from '@/lib/stored-session';
import { toast } from '@/lib/toast';

// On a busy machine, rendering a page takes more than a second.
configure({ asyncUtilTimeout: 5000 });
vi.setConfig({ testTimeout: 20_000 });

/** Without pauses between keystrokes, and without checking every style before a click. */
export const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

/** Clears what the previous test left behind: responses, storage, toasts. */
function reset() {
  cleanup();
  // Computing a role makes happy-dom match every style rule with every element, and the toasts add hundreds of rules.
  for (const style of document.head.querySelectorAll('style')) style.remove();
  toast.dismiss();
  queryClient.clear();
  window.localStorage.clear();
  window.sessionStorage.clear();
}

/** Renders the whole product at a URL. `session` is the session of an account that signed in before. */
export async function openApp(path: string, session?: object) {
  reset();
  if (session) window.localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  window.history.replaceState(null, '', path);
  await loadPage(window.location.pathname);
  // A page that is still loading when the last test of a file ends would fail to load in all later files.
  onTestFinished(() => loadPage(window.location.pathname));
  return show(<AppRouter />);
}

/** Renders a part of a page. */
export function openPart(part: ReactNode, session?: object) {
  reset();
  if (session) window.localStorage.setItem(SESSION_KEY, JSON.stringify(session));
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

/** Includes hidden elements: checking visibility takes most of a test's time in happy-dom. */
export const byRole = (role: string, name: string | RegExp) => screen.getByRole(role, { name, hidden: true });

export const button = (name: string | RegExp) => byRole('button', name);

/** Replaces the text of a field. */
export async function fill(field: HTMLElement, text: string) {
  await user.clear(field);
  // Pastes the text, because typing a long one key by key is slow.
  if (text) await user.click(field).then(() => user.paste(text));
}

export const errors = () => [...document.querySelectorAll('[data-slot=error]')].map((message) => message.textContent);

export const toasts = () => [...document.querySelectorAll('[data-sonner-toast]')].map((toast) => toast.textContent);
