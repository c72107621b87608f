// Which fields differ from what is saved, in words for the question before leaving.

const NAMES: Record<string, string> = {
  name: 'Name',
  username: 'Username',
  category: 'Category',
  location: 'Location',
  bio: 'Bio',
  date_of_birth: 'Date of birth',
  height: 'Height',
  ethnicity: 'Ethnicity',
  religion: 'Religion',
  language: 'Language',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  twitter: 'Twitter',
  website: 'Website',
  services: 'Services',
  payment: 'Payment',
};

function isDirty(value: unknown): boolean {
  if (value === true) return true;
  if (!value || typeof value !== 'object') return false;
  return Object.values(value).some(isDirty);
}

export function changedFields(dirty: object, picturesChanged: boolean): string[] {
  const fields = Object.entries(dirty)
    .filter(([, value]) => isDirty(value))
    .map(([name]) => NAMES[name] ?? name);
  return picturesChanged ? [...fields, 'Pictures'] : fields;
}
