import { useEffect, useRef, useState } from 'react';

/** WCAG 2.1.4 requires that single-character shortcuts can be switched off. */
const OFF = 'serasi-admin-shortcuts-off';

export function useShortcutSetting() {
  const [on, setOn] = useState(() => localStorage.getItem(OFF) === null);
  return {
    on,
    set: (next: boolean) => {
      if (next) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, 'yes');
      setOn(next);
    },
  };
}

const FIELD = 'input:not([type=checkbox]),textarea,select,[contenteditable=true],[role=combobox],[role=listbox]';
const OPEN_OVERLAY = '[role=dialog],[role=alertdialog],[role=listbox],[role=menu]';

/** Whether a key press is a shortcut: nobody is typing, and no dialog or menu is open. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  if (event.target instanceof Element && event.target.closest(FIELD)) return false;
  return document.querySelector(OPEN_OVERLAY) === null;
}

export function useShortcuts(on: boolean, keys: Record<string, () => void>) {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!act || !isShortcut(event)) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [on]);
}
