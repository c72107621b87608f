import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BUSINESS_ADDRESS } from '@/lib/business-filters';
import { useAddressFilters } from './use-address-filters';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={['/before', address]} initialIndex={1}>
      {children}
    </MemoryRouter>
  );
  const { result } = renderHook(
    () => ({ ...useAddressFilters(BUSINESS_ADDRESS), search: useLocation().search, navigate: useNavigate() }),
    { wrapper },
  );
  return {
    now: () => result.current,
    change: (part: Parameters<typeof result.current.change>[0]) => act(() => result.current.change(part)),
    wait: (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds)),
    back: () => act(() => void result.current.navigate(-1)),
  };
}

it('applies typed text after a pause, and choices at once', () => {
  const page = open('/search/agencies?tab=kept');
  page.change({ q: 'lumut' });
  expect(page.now().filters.q).toBe('lumut');
  expect(page.now().asked.q).toBe('');
  page.wait(299);
  expect(page.now().search).toBe('?tab=kept');
  page.wait(1);
  expect(page.now().asked.q).toBe('lumut');
  page.change({ type: 'PR' });
  expect(page.now().asked).toEqual({ q: 'lumut', type: 'PR', location: '' });
  expect(page.now().search).toBe('?tab=kept&q=lumut&type=PR');
});

it('waits longer after one or two letters, but applies them too', () => {
  const page = open('/search/agencies');
  page.change({ q: 'Ng' });
  page.wait(699);
  expect(page.now().asked.q).toBe('');
  page.wait(1);
  expect(page.now().asked.q).toBe('Ng');
});

it('applies a cleared field at once', () => {
  const page = open('/search/agencies?q=lumut');
  expect(page.now().asked.q).toBe('lumut');
  page.change({ q: '' });
  expect(page.now().asked.q).toBe('');
});

it('a choice applies pending text too, and so does Enter', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumut' });
  page.change({ type: 'PR' });
  expect(page.now().asked).toEqual({ q: 'lumut', type: 'PR', location: '' });
  page.change({ location: 'Ipoh' });
  act(() => page.now().settle());
  expect(page.now().asked.location).toBe('Ipoh');
});

it('Reset and navigation discard pending text', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumut' });
  act(() => page.now().set({ q: '', type: '', location: '' }));
  page.wait(1000);
  expect(page.now().filters.q).toBe('');
  page.change({ type: 'PR' });
  page.change({ q: 'lumut' });
  page.back();
  page.wait(1000);
  expect(page.now().filters).toEqual({ q: '', type: '', location: '' });
});

it('Back undoes the whole search', () => {
  const page = open('/search/agencies');
  for (const q of ['lum', 'lumu', 'lumut']) {
    page.change({ q });
    page.wait(300);
  }
  page.back();
  expect(page.now().filters.q).toBe('');
  page.change({ type: 'PR' });
  page.change({ q: 'xyz' });
  page.wait(300);
  page.back();
  expect(page.now().filters).toEqual({ q: '', type: 'PR', location: '' });
});

it('keeps a letter typed while the URL updates', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumu' });
  act(() => {
    vi.advanceTimersByTime(300);
    page.now().change({ q: 'lumut' });
  });
  expect(page.now().asked.q).toBe('lumu');
  expect(page.now().filters.q).toBe('lumut');
  page.wait(300);
  expect(page.now().asked.q).toBe('lumut');
});

it('keeps pending text when another parameter changes', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumut' });
  act(() => page.now().goTo((now) => new URLSearchParams([...now, ['tab', 'events']])));
  expect(page.now().search).toBe('?q=lumut&tab=events');
  page.wait(1000);
  expect(page.now().filters.q).toBe('lumut');
});

it('treats a return to its own earlier URL as navigation', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumut' });
  page.wait(300);
  page.back();
  page.change({ q: 'ipoh' });
  act(() => void page.now().navigate(1));
  page.wait(1000);
  expect(page.now().filters.q).toBe('lumut');
});

it('does not carry pending text to another page', () => {
  const page = open('/search/agencies');
  page.change({ q: 'lumut' });
  page.change({ q: '' });
  page.change({ q: 'ipoh' });
  act(() => void page.now().navigate('/search/vendors'));
  page.wait(1000);
  expect(page.now().filters.q).toBe('');
});
