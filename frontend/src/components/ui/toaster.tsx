import { useSyncExternalStore } from 'react';
import { Toaster as Sonner } from 'sonner';

/** Dialogs are sheets at the lower edge of a phone, their buttons at its very end. */
const coversButtons = () =>
  document.body.hasAttribute('data-scroll-locked') && window.matchMedia('(max-width: 639px)').matches;

function watchDialogs(told: () => void) {
  const observer = new MutationObserver(told);
  observer.observe(document.body, { attributeFilter: ['data-scroll-locked'] });
  return () => observer.disconnect();
}

/** Bottom right (phones: bottom, above a dialog's sheet at the top), 4.5 s, three at most; holds under pointer and focus. */
export function Toaster() {
  const atTop = useSyncExternalStore(watchDialogs, coversButtons, () => false);
  return (
    <Sonner
      position={atTop ? 'top-center' : 'bottom-right'}
      duration={4500}
      visibleToasts={3}
      gap={10}
      offset={24}
      mobileOffset={16}
      toastOptions={{
        unstyled: true,
        classNames: { toast: 'toast', error: 'bad', title: 'toast-title', description: 'toast-text', icon: 'ti' },
      }}
    />
  );
}
