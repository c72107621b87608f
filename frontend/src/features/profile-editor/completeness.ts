import { fieldPart, type Part, picturePart } from '@/features/editing/completeness';
import { PLATFORMS } from '@/lib/platforms';
import type { ProfileForm, Tab } from './schema';

/** What brands look for in an influencer's profile. */
export function profileParts(
  form: ProfileForm,
  pictures: { profile: boolean; cover: boolean; photos: number },
): Part<Tab>[] {
  return [
    picturePart('Add a photo of yourself', 'basic', 'Photo', pictures.profile),
    picturePart('Add a cover picture', 'basic', 'Cover', pictures.cover),
    fieldPart('Write a bio', 'basic', 'bio', form.bio),
    fieldPart('Say where you live', 'basic', 'location', form.location),
    fieldPart('Enter your date of birth', 'basic', 'date_of_birth', form.date_of_birth),
    fieldPart('Choose your language', 'basic', 'language', form.language),
    {
      todo: 'Link a platform',
      tab: 'social',
      control: '[role="switch"]',
      done: PLATFORMS.some((platform) => form[platform].link.trim() !== ''),
    },
    {
      todo: 'Offer a service',
      tab: 'services',
      control: '[name="service_draft.title"]',
      done: form.services.length > 0,
    },
    picturePart('Show your work', 'content', 'Content photos', pictures.photos > 0),
  ];
}
