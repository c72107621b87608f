// The agency form's validation rules. Only the first error is shown, so the fields are in the order of the tabs.
import { z } from 'zod';
import { oneLine } from '@/lib/one-line';
import { isWebLink, LINK_FAULT, withScheme } from '@/lib/web-link';

export const MAX_DESCRIPTION = 500;
export const GALLERY_PLACES = 8;

const limited = (name: string, most: number) =>
  z.string().trim().max(most, `${name} can have at most ${most} characters`);
const line = (name: string, most: number) =>
  z.string().overwrite(oneLine).max(most, `${name} can have at most ${most} characters`);

export const agency = z.object({
  name: line('Name', 100).min(1, 'Name is required'),
  company_name: line('Company name', 100),
  description: limited('Description', MAX_DESCRIPTION),
  email: z.string().trim().max(254, 'Valid email is required').pipe(z.email('Valid email is required')),
  phone: line('Phone', 20),
  website: z.string().trim().transform(withScheme).refine(isWebLink, LINK_FAULT),
  type: z.string(),
  location: line('Location', 100),
  contracts_enabled: z.boolean(),
});

export type AgencyForm = z.infer<typeof agency>;

export const TABS = ['basic', 'gallery', 'contact', 'contract', 'gigs'] as const;
export type Tab = (typeof TABS)[number];

/** The tab that contains a field, to open it when the field is invalid. */
export function tabOf(field: string): Tab {
  if (['name', 'company_name', 'description'].includes(field)) return 'basic';
  return field === 'contracts_enabled' ? 'contract' : 'contact';
}

/** Field names for the dialog about unsaved changes. */
export const FIELD_NAMES: Record<keyof AgencyForm, string> = {
  name: 'Name',
  company_name: 'Company name',
  description: 'Description',
  email: 'E-mail',
  phone: 'Phone',
  website: 'Website',
  type: 'Agency type',
  location: 'Location',
  contracts_enabled: 'Contracts enabled',
};
