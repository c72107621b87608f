// The rules of the vendor's form. The first broken one is told, so their order is the tabs' order.
import { z } from 'zod';
import { isWebLink } from '@/lib/web-link';

export const MAX_DESCRIPTION = 500;

const limited = (name: string, most: number) =>
  z.string().trim().max(most, `${name} can have at most ${most} characters`);

export const vendor = z.object({
  name: limited('Name', 100).min(1, 'Name is required'),
  company_name: limited('Company name', 100),
  description: limited('Description', MAX_DESCRIPTION),
  email: z.string().trim().max(254, 'Valid email is required').pipe(z.email('Valid email is required')),
  phone: limited('Phone', 20),
  website: z.string().trim().refine(isWebLink, 'Enter a full link, starting with https://'),
  location: limited('Location', 100),
  type: limited('Vendor type', 50),
});

export type VendorForm = z.infer<typeof vendor>;

export const TABS = ['basic', 'contact'] as const;
export type Tab = (typeof TABS)[number];

/** Where a field is, to open its tab when its rule is broken. */
export const tabOf = (field: string): Tab =>
  ['name', 'company_name', 'description'].includes(field) ? 'basic' : 'contact';

/** In words, for the question before leaving. */
export const FIELD_NAMES: Record<keyof VendorForm, string> = {
  name: 'Name',
  company_name: 'Company name',
  description: 'Description',
  email: 'E-mail',
  phone: 'Phone',
  website: 'Website',
  location: 'Location',
  type: 'Vendor type',
};
