// Turns a card's picture into the portrait of the profile that the card opens. Loaded when a card's link is first
// pointed at or focused.
import { flushSync } from 'react-dom';
import { isWideScreen } from '@/hooks/use-wide-screen';

/** The view stands still for at most this long while the profile loads. */
const PATIENCE_MS = 300;
const PORTRAIT = '[data-slot=portrait]';

type Load = (path: string) => Promise<void>;

let installed = false;
let busy = false;
/** The click that this module repeats, for the router. */
let repeated = false;

export function morphCards(load: Load) {
  if (installed || !('startViewTransition' in document)) return;
  installed = true;
  document.addEventListener('click', (event) => onClick(event, load), { capture: true });
}

function onClick(event: MouseEvent, load: Load) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const picture = link?.closest('article')?.querySelector<HTMLElement>('[data-slot=card-picture], img');
  if (repeated || !link || !picture || !link.pathname.startsWith('/profile/')) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  // Phones show no portrait.
  if (!isWideScreen() || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  event.preventDefault();
  event.stopPropagation();
  if (!busy) void morph(link, picture, load);
}

async function morph(link: HTMLAnchorElement, picture: HTMLElement, load: Load) {
  busy = true;
  let portrait: HTMLElement | undefined;
  name(picture, true);
  const transition = document.startViewTransition(async () => {
    const late = new Promise<undefined>((done) => setTimeout(done, PATIENCE_MS));
    await Promise.race([load(link.pathname), late]);
    name(picture, false);
    follow(link);
    portrait = await Promise.race([portraitShown(), late]);
    if (portrait) name(portrait, true);
  });
  // A transition that the browser skips still navigates.
  transition.ready.catch(() => {});
  await transition.updateCallbackDone.catch(() => {});
  busy = false;
  await transition.finished.catch(() => {});
  if (portrait) name(portrait, false);
}

function name(element: HTMLElement, on: boolean) {
  element.style.viewTransitionName = on ? 'portrait' : '';
}

/** The router handles the click as usual, and its page is rendered on return. */
function follow(link: HTMLAnchorElement) {
  // The list may have been refreshed in the meantime.
  if (!link.isConnected) return window.location.assign(link.href);
  repeated = true;
  try {
    flushSync(() => link.click());
  } finally {
    repeated = false;
  }
}

/** The profile's portrait, once it and its picture are loaded. */
async function portraitShown(): Promise<HTMLElement> {
  const portrait = await new Promise<HTMLElement>((done) => {
    const look = () => {
      const found = document.querySelector<HTMLElement>(PORTRAIT);
      if (!found) return;
      watching.disconnect();
      done(found);
    };
    const watching = new MutationObserver(look);
    watching.observe(document.body, { childList: true, subtree: true });
    look();
  });
  await portrait
    .querySelector('img')
    ?.decode()
    .catch(() => {});
  return portrait;
}
