// Asks before leaving a page with unsaved changes: through a link, a button marked `data-leaves`, or Back. When the tab
// is closed, the browser asks instead. To catch Back, the page adds another history entry of itself.
import { useEffect, useRef, useState } from 'react';

const isExtra = () => Boolean(window.history.state?.extra);

export function useLeaveGuard(dirty: boolean) {
  const [leaving, setLeaving] = useState<{ go: () => void }>();
  const unsaved = useRef(dirty);
  const entry = useExtraEntry(unsaved, () => setLeaving({ go: () => window.history.back() }));

  useEffect(() => {
    // After a reload, the extra entry stays: a kept draft may be restored soon.
    if (unsaved.current && !dirty) void entry.drop();
    unsaved.current = dirty;
    if (!dirty) return;
    entry.add();
    const onClick = (event: MouseEvent) => {
      if (!unsaved.current || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      const way = event.target instanceof Element ? event.target.closest<HTMLElement>('a[href],[data-leaves]') : null;
      if (!way || way.getAttribute('href')?.startsWith('#') || way.getAttribute('target') === '_blank') return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving({ go: () => way.click() });
    };
    const onClose = (event: BeforeUnloadEvent) => {
      if (unsaved.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', onClose);
    // Captures the click before the router handles it.
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [dirty, entry]);

  async function leave(way = leaving) {
    unsaved.current = false;
    setLeaving(undefined);
    await entry.drop();
    way?.go();
  }
  return {
    isAsking: leaving !== undefined,
    stay: () => setLeaving(undefined),
    leave: () => leave(),
    /** Leaves only if `save` resolves to true. */
    async leaveAfter(save: () => Promise<boolean>) {
      const way = leaving;
      setLeaving(undefined);
      if (await save()) await leave(way);
    },
    /** Lets the following navigation pass without asking. */
    release: () => {
      unsaved.current = false;
    },
  };
}

/** `onBack`: Back was pressed with unsaved changes. */
function useExtraEntry(unsaved: { current: boolean }, onBack: () => void) {
  const back = useRef(onBack);
  back.current = onBack;
  /** Whether the page is on its extra entry. After a reload it may be. */
  const onExtra = useRef(isExtra());
  const dropped = useRef<Promise<void>>(undefined);

  const [entry] = useState(() => ({
    add: () => {
      if (onExtra.current) return;
      window.history.pushState({ ...window.history.state, extra: true }, '', window.location.href);
      onExtra.current = true;
    },
    /** Goes back to the page's own entry, so that Back never needs a second press. */
    drop: () => {
      if (!onExtra.current) return dropped.current;
      onExtra.current = false;
      dropped.current = new Promise<void>((resolve) => {
        window.addEventListener('popstate', () => resolve(), { once: true });
        window.history.back();
      });
      return dropped.current;
    },
  }));

  useEffect(() => {
    const here = window.location.pathname;
    const moved = () => {
      const wasExtra = onExtra.current;
      onExtra.current = isExtra();
      if (window.location.pathname !== here || !wasExtra || onExtra.current) return;
      if (!unsaved.current) {
        window.history.back();
        return;
      }
      entry.add();
      back.current();
    };
    window.addEventListener('popstate', moved);
    return () => window.removeEventListener('popstate', moved);
  }, [entry, unsaved]);
  return entry;
}
