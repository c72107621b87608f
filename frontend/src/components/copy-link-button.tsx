import { Link2 } from 'lucide-react';
import { toast } from '@/lib/toast';
import { Button } from './ui/button';

/** Copies the URL of one of our pages to the clipboard. */
export function CopyLinkButton({ path, full }: { path: string; full?: boolean }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(new URL(path, window.location.origin).toString());
      toast.success('Link copied!', { description: 'Profile link has been copied to clipboard.' });
    } catch {
      toast.error('Share failed', { description: 'Unable to share this profile.' });
    }
  }
  return (
    <Button variant="ghost" full={full} onClick={() => void copy()}>
      <Link2 aria-hidden="true" />
      Copy profile link
    </Button>
  );
}
