import { Link2 } from 'lucide-react';
import { toast } from '@/lib/toast';
import { Button } from './ui/button';

/** Copies the URL of one of our pages to the clipboard. `compact`: only the icon is visible on a phone. */
export function CopyLinkButton({ path, full, compact }: { path: string; full?: boolean; compact?: boolean }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(new URL(path, window.location.origin).toString());
      toast.success('Link copied!', { description: 'Profile link has been copied to clipboard.' });
    } catch {
      toast.error('Share failed', { description: 'Unable to share this profile.' });
    }
  }
  return (
    <Button variant="ghost" full={full} className={compact ? 'max-sm:px-3' : undefined} onClick={() => void copy()}>
      <Link2 aria-hidden="true" />
      <span className={compact ? 'max-sm:sr-only' : undefined}>Copy profile link</span>
    </Button>
  );
}
