// Every way out of a form asks first while something is not saved: links of the page, Back, closing the tab.
// Back is caught by one more history entry of the same page, which Back comes to first.
import { useEffect, useRef, useState } from 'react';

interface Leaving {
  go: () => void;
}

const isExtra = () => Boolean(window.history.state?.extra);

export function useLeaveGuard(dirty: boolean) {
  const [leaving, setLeaving] = useState<Leaving>();
  const unsaved = useRef(dirty);
  /** Whether the page stands on its second entry. */
  const extra = useRef(isExtra());

  useEffect(() => {
    unsaved.current = dirty;
    if (!dirty) return;
    if (!extra.current) addEntry();
    extra.current = true;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);

  useEffect(() => {
    const here = window.location.pathname;
    const moved = () => {
      if (window.location.pathname !== here) return;
      if (isExtra()) {
        extra.current = true;
        return;
      }
      if (!extra.current) return;
      if (unsaved.current) {
        addEntry();
        setLeaving({ go: () => window.history.go(-2) });
        return;
      }
      // Everything is saved: the second entry must not cost a second press.
      extra.current = false;
      window.history.back();
    };
    window.addEventListener('popstate', moved);
    return () => window.removeEventListener('popstate', moved);
  }, []);

  return {
    /** What to do once the question is answered; set while it is asked. */
    leaving,
    leave: (go: () => void) => (dirty ? setLeaving({ go }) : go()),
    stay: () => setLeaving(undefined),
    /** After the answer: nothing is asked any more. */
    release: () => {
      unsaved.current = false;
      setLeaving(undefined);
    },
    /** The second entry is replaced rather than left behind. */
    replace: () => extra.current,
  };
}

function addEntry() {
  window.history.pushState({ ...window.history.state, extra: true }, '', window.location.href);
}
