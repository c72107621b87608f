import { toast } from './toast';

/** Copies a text to the clipboard and says so. `otherwise`: the message if the browser refuses. */
export async function copyText(text: string, { copied, otherwise }: { copied: string; otherwise: string }) {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(copied);
  } catch {
    toast.error('Copying failed', { description: otherwise });
  }
}
