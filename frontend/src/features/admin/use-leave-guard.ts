import { useEffect, useRef, useState } from 'react';

/**
 * Asks before the page is left with something unsaved: by a link, by a button that is marked `data-leaves`, by Back,
 * and (in the browser's words) by closing.
 */
export function useLeaveGuard(dirty: boolean) {
  const [asking, setAsking] = useState<{ go: () => void }>();
  const free = useRef(false);
  const trapped = useRef(false);

  useEffect(() => {
    if (!dirty) {
      // The entry that caught Back is not needed any more.
      if (trapped.current && !free.current) window.history.back();
      trapped.current = false;
      return;
    }
    // One more entry of this page: Back comes to it first, and the question can be asked before the page goes.
    const trap = () => window.history.pushState(window.history.state, '', window.location.href);
    if (!trapped.current) trap();
    trapped.current = true;

    const onBack = () => {
      if (free.current) return;
      trap();
      setAsking({ go: () => window.history.go(-2) });
    };
    const onClick = (event: MouseEvent) => {
      if (free.current || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      const way = event.target instanceof Element ? event.target.closest<HTMLElement>('a[href],[data-leaves]') : null;
      if (!way || way.getAttribute('href')?.startsWith('#')) return;
      event.preventDefault();
      event.stopPropagation();
      setAsking({ go: () => way.click() });
    };
    const onClose = (event: BeforeUnloadEvent) => {
      if (!free.current) event.preventDefault();
    };
    window.addEventListener('popstate', onBack);
    window.addEventListener('beforeunload', onClose);
    // Before the router hears of it.
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('popstate', onBack);
      window.removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [dirty]);

  return {
    asking: asking !== undefined,
    stay: () => setAsking(undefined),
    leave: () => {
      free.current = true;
      setAsking(undefined);
      asking?.go();
    },
    /** What follows leaves without a question. */
    release: () => {
      free.current = true;
    },
  };
}
