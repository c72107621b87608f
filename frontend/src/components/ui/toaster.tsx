import { Toaster as Sonner } from 'sonner';

/** Bottom right (phones: bottom), 4.5 s, three at most; holds under pointer and focus. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
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
