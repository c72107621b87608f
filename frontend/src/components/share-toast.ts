import { shareProfile } from '@/lib/share';
import { toast } from '@/lib/toast';

/** Shares a profile and shows the specified toast for the outcome. */
export async function shareWithToast(id: string, name: string): Promise<void> {
  switch (await shareProfile(id, name)) {
    case 'shared':
      toast.success('Shared successfully!', { description: `${name}'s profile has been shared.` });
      break;
    case 'copied':
      toast.success('Link copied!', { description: 'Profile link has been copied to clipboard.' });
      break;
    case 'failed':
      toast.error('Share failed', { description: 'Unable to share this profile.' });
      break;
    case 'canceled':
      break;
  }
}
