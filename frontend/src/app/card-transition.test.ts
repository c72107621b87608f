import { beforeEach, expect, it, vi } from 'vitest';

const WIDE = '(min-width: 1024px)';
const REDUCED = '(prefers-reduced-motion: reduce)';

let finish = () => {};
const start = vi.fn((update: () => Promise<void>) => {
  const finished = new Promise<void>((done) => {
    finish = done;
  });
  return { ready: Promise.reject(new Error('skipped')), updateCallbackDone: update(), finished };
});

/** A card whose link a router handles, as in the page. The listeners of earlier tests find nothing: they are removed. */
async function openCard(media: string[] = [WIDE], path = '/profile/7') {
  vi.resetModules();
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: media.includes(query) }));
  document.body.innerHTML = `<article><div data-slot="card-picture"></div><a href="${path}">Aisyah</a></article>`;
  const listen = vi.spyOn(document, 'addEventListener');
  const { morphCards } = await import('./card-transition');
  morphCards(() => Promise.resolve());
  const [, listener] = listen.mock.calls.find(([type]) => type === 'click') ?? [];
  if (listener) stop = () => document.removeEventListener('click', listener, { capture: true });
  const link = document.querySelector('a');
  const routed = vi.fn((event: Event) => {
    event.preventDefault();
    document.body.innerHTML = '<span data-slot="portrait"></span>';
  });
  link?.addEventListener('click', routed);
  const click = (more: MouseEventInit = {}) =>
    link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...more }));
  return { click, routed };
}

let stop = () => {};

beforeEach(() => {
  stop();
  vi.restoreAllMocks();
  start.mockClear();
  Object.assign(document, { startViewTransition: start });
});

const portrait = () => document.querySelector<HTMLElement>('[data-slot=portrait]');

it('lets the router open the profile in a transition, with one picture named', async () => {
  const { click, routed } = await openCard();
  const picture = document.querySelector<HTMLElement>('[data-slot=card-picture]');
  click();
  expect(start).toHaveBeenCalledOnce();
  expect(picture?.style.viewTransitionName).toBe('portrait');
  await vi.waitFor(() => expect(portrait()?.style.viewTransitionName).toBe('portrait'));
  expect(routed).toHaveBeenCalledOnce();
  expect(picture?.style.viewTransitionName).toBe('');
  finish();
  await vi.waitFor(() => expect(portrait()?.style.viewTransitionName).toBe(''));
});

it('ignores a second click while the profile opens', async () => {
  const { click, routed } = await openCard();
  click();
  expect(click()).toBe(false);
  await vi.waitFor(() => expect(portrait()).not.toBeNull());
  expect(start).toHaveBeenCalledOnce();
  expect(routed).toHaveBeenCalledOnce();
});

it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'leaves a click with %j alone',
  async (more) => {
    const { click, routed } = await openCard();
    click(more);
    expect(start).not.toHaveBeenCalled();
    expect(routed).toHaveBeenCalledOnce();
  },
);

it.each([
  ['on a phone', [], '/profile/7'],
  ['with reduced motion', [WIDE, REDUCED], '/profile/7'],
  ['to another page', [WIDE], '/agency/7'],
])('navigates as usual %s', async (_, media, path) => {
  const { click, routed } = await openCard(media, path);
  click();
  expect(start).not.toHaveBeenCalled();
  expect(routed).toHaveBeenCalledOnce();
});

it('navigates as usual in browsers without transitions', async () => {
  Reflect.deleteProperty(document, 'startViewTransition');
  const { click, routed } = await openCard();
  click();
  expect(routed).toHaveBeenCalledOnce();
});
