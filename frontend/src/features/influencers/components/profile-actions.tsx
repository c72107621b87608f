import { Bookmark, BookmarkCheck, Share2 } from 'lucide-react';
import { useSession } from '@/app/session';
import { EnquireLink } from '@/components/enquire-link';
import { shareWithToast } from '@/components/share-toast';
import { Button } from '@/components/ui/button';
import type { Influencer } from '../queries';

export interface Saving {
  saved: boolean;
  busy: boolean;
  toggle: () => void;
}

/** Enquire, except on one's own profile; Save, which adds the influencer to the favorites or removes them; and Share. */
export function ProfileActions({ influencer, saving }: { influencer: Influencer; saving: Saving }) {
  const { account } = useSession();
  return (
    <>
      {account && account.id === influencer.user_id ? null : (
        <EnquireLink id={influencer.id ?? ''} className="max-lg:col-span-2" />
      )}
      <Button variant="outline" aria-pressed={saving.saved} disabled={saving.busy} onClick={saving.toggle}>
        {saving.saved ? <BookmarkCheck aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
        {saving.saved ? 'Saved' : 'Save'}
      </Button>
      <Button onClick={() => void shareWithToast(influencer.id ?? '', influencer.name ?? '')}>
        <Share2 aria-hidden="true" />
        Share
      </Button>
    </>
  );
}
