import { fieldPart, type Part, picturePart } from '@/features/editing/completeness';
import type { AgencyForm, Tab } from './schema';

/** What brands and creators look for on an agency's page. */
export function agencyParts(
  form: AgencyForm,
  pictures: { logo: boolean; banner: boolean; photos: number },
): Part<Tab>[] {
  return [
    picturePart('Upload a logo', 'basic', 'Logo', pictures.logo),
    picturePart('Upload a banner', 'basic', 'Banner', pictures.banner),
    fieldPart('Describe your agency', 'basic', 'description', form.description),
    picturePart('Fill the gallery', 'gallery', 'Gallery images', pictures.photos > 0),
    fieldPart('Enter a phone number', 'contact', 'phone', form.phone),
    fieldPart('Link your website', 'contact', 'website', form.website),
    fieldPart('Choose an agency type', 'contact', 'type', form.type),
    fieldPart('Say where you are', 'contact', 'location', form.location),
  ];
}
