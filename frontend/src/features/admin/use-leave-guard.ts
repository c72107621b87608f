import { useEffect, useRef, useState } from 'react';

/**
 * Asks before leaving a page with unsaved changes: through a link, a button marked `data-leaves`, or Back. When the tab
 * is closed, the browser asks instead.
 */
export function useLeaveGuard(dirty: boolean) {
  const [asking, setAsking] = useState<{ go: () => void }>();
  const free = useRef(false);
  const trapped = useRef(false);

  useEffect(() => {
    if (!dirty) {
      // Removes the extra history entry that caught Back.
      if (trapped.current && !free.current) window.history.back();
      trapped.current = false;
      return;
    }
    // Adds a history entry of the same page, so that Back goes there first and the dialog can be shown.
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
    // Captures the click before the router handles it.
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
    /** Lets the following navigation pass without asking. */
    release: () => {
      free.current = true;
    },
  };
}
