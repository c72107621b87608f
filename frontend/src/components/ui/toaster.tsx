import { useSyncExternalStore } from 'react';
import { Toaster as Sonner } from 'sonner';

/** On phones, dialogs are bottom sheets with their buttons at the lower edge, where toasts would cover them. */
const coversButtons = () =>
  document.body.hasAttribute('data-scroll-locked') && window.matchMedia('(max-width: 639px)').matches;

function watchDialogs(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { attributeFilter: ['data-scroll-locked'] });
  return () => observer.disconnect();
}

/**
 * Bottom right; on phones at the bottom, or at the top while a dialog is open. 4.5 seconds, three at most; pauses on
 * hover and focus.
 */
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
