import { fieldPart, type Part, picturePart } from '@/features/editing/completeness';
import type { Tab, VendorForm } from './schema';

/** What agencies look for on a vendor's card. */
export function vendorParts(form: VendorForm, pictures: { logo: boolean }): Part<Tab>[] {
  return [
    picturePart('Upload a logo', 'basic', 'Logo', pictures.logo),
    fieldPart('Describe what you supply', 'basic', 'description', form.description),
    fieldPart('Enter a phone number', 'contact', 'phone', form.phone),
    fieldPart('Link your website', 'contact', 'website', form.website),
    fieldPart('Say where you are', 'contact', 'location', form.location),
    {
      ...fieldPart('Choose a vendor type', 'contact', 'type', form.type),
      control: 'fieldset[data-field="type"] button',
    },
  ];
}
