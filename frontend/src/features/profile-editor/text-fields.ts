// The text fields of an influencer's profile, in the order of the form. Each edits the column of its name: the form, its limits, the
// record and the names in messages follow from this table.
import { AtSign, type LucideIcon, MapPin } from 'lucide-react';
import { ETHNICITIES } from '@/lib/ethnicities';
import { CATEGORIES } from '@/lib/kinds';
import { LANGUAGES } from '@/lib/languages';
import { MAX_BIO, RELIGIONS } from './choices';

interface TextField {
  label: string;
  required?: boolean;
  placeholder?: string;
  /** The most characters. */
  most?: number;
  /** A text of several lines. */
  rows?: number;
  /** One of a list. */
  options?: readonly string[];
  icon?: LucideIcon;
  autoComplete?: string;
}

const fields = {
  name: { label: 'Name', most: 100, required: true, autoComplete: 'name' },
  username: { label: 'Username', most: 50, required: true, icon: AtSign },
  category: { label: 'Category', required: true, options: CATEGORIES, placeholder: 'Choose a category' },
  location: { label: 'Location', most: 100, icon: MapPin, placeholder: 'City, state' },
  bio: { label: 'Bio', most: MAX_BIO, rows: 4 },
  height: { label: 'Height', most: 50, placeholder: 'e.g. 162 cm' },
  ethnicity: { label: 'Ethnicity', options: ETHNICITIES, placeholder: 'Choose' },
  religion: { label: 'Religion', options: RELIGIONS, placeholder: 'Choose' },
  language: { label: 'Language', options: LANGUAGES, placeholder: 'Choose' },
} satisfies Record<string, TextField>;

export type TextName = keyof typeof fields;
export const TEXT_FIELDS: Record<TextName, TextField> = fields;
export const TEXT_NAMES = Object.keys(fields) as TextName[];

/** An object with a value for each text field. */
export const eachText = <Value>(valueFor: (name: TextName) => Value): Record<TextName, Value> =>
  Object.fromEntries(TEXT_NAMES.map((name) => [name, valueFor(name)])) as Record<TextName, Value>;
