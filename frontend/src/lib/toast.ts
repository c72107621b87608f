// Toasts. Their library is not part of the first page: it is loaded after the first view, or with the first toast.
import type { ExternalToast, toast as Sonner } from 'sonner';

let request = () => {};

/** Resolves with the first toast. */
export const firstToast = new Promise<void>((resolve) => {
  request = resolve;
});

function withSonner(use: (sonner: typeof Sonner) => void) {
  request();
  // Without a connection the file may be missing. Losing the toast is better than losing the page.
  import('sonner').then(({ toast: sonner }) => use(sonner)).catch(console.warn);
}

/** sonner's `toast`, without its return values. */
export const toast = Object.assign(
  (message: string, options?: ExternalToast) => withSonner((sonner) => sonner(message, options)),
  {
    success: (message: string, options?: ExternalToast) => withSonner((sonner) => sonner.success(message, options)),
    error: (message: string, options?: ExternalToast) => withSonner((sonner) => sonner.error(message, options)),
    info: (message: string, options?: ExternalToast) => withSonner((sonner) => sonner.info(message, options)),
    dismiss: (id?: string | number) => withSonner((sonner) => sonner.dismiss(id)),
  },
);
