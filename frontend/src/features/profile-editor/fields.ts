// The form's field components, with field names checked against the influencer's form, and the fields' display names.
import { fieldsOf } from '@/features/editing/components/form-fields';
import type { ProfileForm } from './schema';
import { eachText, TEXT_FIELDS } from './text-fields';

export const { TextField, TextareaField, SelectField } = fieldsOf<ProfileForm>();

export const FIELD_NAMES: Record<string, string> = {
  ...eachText((name) => TEXT_FIELDS[name].label),
  date_of_birth: 'Date of birth',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  twitter: 'Twitter',
  website: 'Website',
  services: 'Services',
  service_draft: 'Service not added yet',
  payment: 'Payment',
};

/** The form field that edits a column. */
export function fieldOf(column: string): string {
  if (column === 'payment_info') return 'payment';
  return column.replace(/_(link|followers)$/, '');
}
