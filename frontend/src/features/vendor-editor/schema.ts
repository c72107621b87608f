// The vendor form's validation rules. Only the first error is shown, so the fields are in the order of the tabs.
import { z } from 'zod';
import { oneLine } from '@/lib/one-line';
import { isWebLink, LINK_FAULT, withScheme } from '@/lib/web-link';

export const MAX_DESCRIPTION = 500;

const limited = (name: string, most: number) =>
  z.string().trim().max(most, `${name} can have at most ${most} characters`);
const line = (name: string, most: number) =>
  z.string().overwrite(oneLine).max(most, `${name} can have at most ${most} characters`);

export const vendor = z.object({
  name: line('Name', 100).min(1, 'Name is required'),
  company_name: line('Company name', 100),
  description: limited('Description', MAX_DESCRIPTION),
  email: z.string().trim().max(254, 'Valid email is required').pipe(z.email('Valid email is required')),
  phone: line('Phone', 20),
  website: z.string().trim().transform(withScheme).refine(isWebLink, LINK_FAULT),
  location: line('Location', 100),
  type: limited('Vendor type', 50),
});

export type VendorForm = z.infer<typeof vendor>;

export const TABS = ['basic', 'contact'] as const;
export type Tab = (typeof TABS)[number];

/** The tab that contains a field, to open it when the field is invalid. */
export const tabOf = (field: string): Tab =>
  ['name', 'company_name', 'description'].includes(field) ? 'basic' : 'contact';

/** Field names for the dialog about unsaved changes. */
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
