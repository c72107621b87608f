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
        classNames: {
          toast:
            'group flex w-full max-w-95 items-start gap-3 rounded-[14px] bg-foreground px-4 py-3.5 text-background shadow-lg data-[type=error]:bg-destructive data-[type=error]:text-destructive-foreground',
          title: 'text-[15px] leading-5 font-semibold',
          description: 'text-sm opacity-82 group-data-[type=error]:opacity-100',
          icon: 'grid size-6 flex-none place-items-center rounded-full bg-mint text-pandan group-data-[type=error]:bg-white group-data-[type=error]:text-[#bf2f27] [&_svg]:size-3.75 [&_svg]:stroke-[2.75]',
        },
      }}
    />
  );
}
