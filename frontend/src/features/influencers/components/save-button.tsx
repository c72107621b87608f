import { Bookmark, BookmarkCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';

export interface Saving {
  saved: boolean;
  busy: boolean;
  toggle: () => void;
}

/** Adds the influencer to the favorites, or removes them. */
export function SaveButton({ saving }: { saving: Saving }) {
  return (
    <Button variant="outline" aria-pressed={saving.saved} disabled={saving.busy} onClick={saving.toggle}>
      {saving.saved ? <BookmarkCheck aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
      {saving.saved ? 'Saved' : 'Save'}
    </Button>
  );
}
