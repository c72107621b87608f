// The rules of the influencer's form. The first broken rule is shown, so their order is the tabs' order.
import { z } from 'zod';
import { MAX_BIO } from './choices';

const limited = (name: string, most: number) => z.string().max(most, `${name} can have at most ${most} characters`);
const needed = (name: string, most: number) =>
  z.string().trim().min(1, `${name} is required`).max(most, `${name} can have at most ${most} characters`);

function isLink(text: string): boolean {
  if (text === '') return true;
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

const link = z.string().trim().refine(isLink, 'Enter a full link, starting with https://');
const followers = z.string().trim().max(20, 'Enter a number such as 12K or 1.5M');
const account = z.object({ on: z.boolean(), link, followers });

export const service = z.object({ title: z.string(), description: z.string(), price: z.string() });

export const profile = z.object({
  name: needed('Name', 100),
  username: needed('Username', 50),
  category: z.string().min(1, 'Category is required'),
  location: limited('Location', 100),
  bio: limited('Bio', MAX_BIO),
  date_of_birth: z.string(),
  height: limited('Height', 50),
  ethnicity: z.string(),
  religion: z.string(),
  language: z.string(),
  instagram: account,
  tiktok: account,
  youtube: account,
  twitter: account,
  website: z.object({ on: z.boolean(), link }),
  services: z.array(service),
  payment: z.object({
    payment_method: z.enum(['bank', 'paypal', 'both']),
    bank_name: limited('Bank name', 100),
    account_number: limited('Account number', 50),
    account_holder: limited('Account holder', 100),
    paypal_email: z.union([z.literal(''), z.email('Invalid email address')]),
    payment_notes: limited('Payment notes', 500),
  }),
});

export type ProfileForm = z.infer<typeof profile>;
export type Service = z.infer<typeof service>;

export const TABS = ['basic', 'social', 'services', 'content', 'payment'] as const;
export type Tab = (typeof TABS)[number];

/** Where a field is, to open its tab when its rule is broken. */
export function tabOf(field: string): Tab {
  const first = field.split('.')[0] ?? '';
  if (['instagram', 'tiktok', 'youtube', 'twitter', 'website'].includes(first)) return 'social';
  if (first === 'services') return 'services';
  if (first === 'payment') return 'payment';
  return 'basic';
}

/** Current year minus birth year, as the specification counts. */
export function ageOf(birth: string, today: Date): number | null {
  const year = Number(birth.slice(0, 4));
  return birth && year ? today.getFullYear() - year : null;
}

/** Switching a platform off clears what belongs to it. */
export function switched<Account extends { on: boolean; link: string; followers?: string }>(
  now: Account,
  on: boolean,
): Account {
  return on ? { ...now, on } : { ...now, on, link: '', ...('followers' in now ? { followers: '' } : {}) };
}

/** A service can be added when both are there; the price is optional. */
export const canAdd = (draft: Service): boolean => draft.title.trim() !== '' && draft.description.trim() !== '';
