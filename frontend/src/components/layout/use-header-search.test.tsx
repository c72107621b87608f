import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useHeaderSearch } from './use-header-search';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  );
  const { result } = renderHook(
    () => ({ ...useHeaderSearch(), search: useLocation().search, navigate: useNavigate() }),
    { wrapper },
  );
  return {
    now: () => result.current,
    type: (text: string) => act(() => result.current.type(text)),
    wait: (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds)),
    goTo: (address: string) => act(() => void result.current.navigate(address)),
    back: () => act(() => void result.current.navigate(-1)),
  };
}

it("clears the field on a page that can't filter, and restores the search on Back", () => {
  const page = open('/search');
  page.type('sofea');
  page.wait(300);
  expect(page.now().search).toBe('?q=sofea');
  page.goTo('/pricing');
  expect(page.now().shown).toBe('');
  page.back();
  expect(page.now().shown).toBe('sofea');
});

it('keeps unsubmitted text only while its page is open', () => {
  const page = open('/pricing');
  page.type('sofea');
  page.wait(1000);
  expect(page.now().shown).toBe('sofea');
  page.goTo('/pricing?package=gold');
  expect(page.now().shown, 'the same page').toBe('sofea');
  page.goTo('/about-us');
  expect(page.now().shown).toBe('');
  page.goTo('/search/agencies');
  page.back();
  page.back();
  expect(page.now().shown).toBe('');
});

it('keeps a letter typed right after navigation', () => {
  for (const [from, to] of [
    ['/pricing', '/about-us'],
    ['/search', '/pricing'],
  ] as const) {
    const page = open(from);
    page.type('sof');
    page.goTo(to);
    page.type('e');
    expect(page.now().shown, to).toBe('e');
    page.wait(1000);
    expect(page.now().shown, to).toBe('e');
    expect(page.now().search, to).toBe('');
  }
});

it('keeps a letter typed while the URL updates', () => {
  const page = open('/search');
  page.type('sofe');
  act(() => {
    vi.advanceTimersByTime(300);
    page.now().type('sofea');
  });
  expect(page.now().search).toBe('?q=sofe');
  expect(page.now().shown).toBe('sofea');
  page.wait(300);
  expect(page.now().search).toBe('?q=sofea');
});
