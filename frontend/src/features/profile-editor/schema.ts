// The influencer form's validation rules. Only the first error is shown, so the fields are in the order of the tabs.
import { format, isValid, parseISO } from 'date-fns';
import { z } from 'zod';
import { oneLine } from '@/lib/one-line';
import { isWebLink, LINK_FAULT, withScheme } from '@/lib/web-link';
import { eachText, TEXT_FIELDS, type TextName } from './text-fields';

const limited = (name: string, most: number) => z.string().max(most, `${name} can have at most ${most} characters`);
const line = (name: string, most: number) =>
  z.string().overwrite(oneLine).max(most, `${name} can have at most ${most} characters`);

function text(name: TextName) {
  const { label, most, required, rows, options } = TEXT_FIELDS[name];
  const typed = rows || options ? z.string() : z.string().overwrite(oneLine);
  const given = required ? typed.min(1, `${label} is required`) : typed;
  return most ? given.max(most, `${label} can have at most ${most} characters`) : given;
}

const link = z.string().trim().transform(withScheme).refine(isWebLink, LINK_FAULT);
const followers = z.string().overwrite(oneLine).max(20, 'Enter a number such as 12K or 1.5M');
const account = z.object({ on: z.boolean(), link, followers });

export const service = z.object({
  title: line('Title', 100),
  description: limited('Description', 1000),
  price: line('Price', 50),
});

const BIRTH = 'Enter a date such as 14 Mar 1999';
const birth = z.string().superRefine((text, context) => {
  const message = text === '' ? undefined : birthFault(text);
  if (message) context.addIssue({ code: 'custom', message });
});

/** The error for a date of birth. Text that isn't a date yet is stored in the form as typed. */
function birthFault(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isValid(parseISO(text))) return BIRTH;
  if (text < '1900-01-01') return "Date of birth can't be before 1 Jan 1900";
  return text > format(new Date(), 'yyyy-MM-dd') ? "Date of birth can't be in the future" : undefined;
}

const isEmail = (text: string) => text === '' || z.email().safeParse(text).success;
const payment = z
  .object({
    payment_method: z.enum(['bank', 'paypal', 'both']),
    bank_name: line('Bank name', 100),
    account_number: line('Account number', 50),
    account_holder: line('Account holder', 100),
    paypal_email: z.string().overwrite(oneLine),
    payment_notes: limited('Payment notes', 500),
  })
  // Validates only visible fields.
  .refine(({ payment_method, paypal_email }) => payment_method === 'bank' || isEmail(paypal_email), {
    path: ['paypal_email'],
    message: 'Invalid email address',
  });

export const profile = z.object({
  ...eachText(text),
  date_of_birth: birth,
  instagram: account,
  tiktok: account,
  youtube: account,
  twitter: account,
  website: z.object({ on: z.boolean(), link }),
  services: z
    .array(service.refine(({ title }) => title.trim() !== '', { path: ['title'], message: 'Title is required' }))
    .max(30, 'You can list at most 30 services'),
  /** A service that was typed but not added yet. Preserved with the draft, but not saved. */
  service_draft: service,
  payment,
});

export type ProfileForm = z.infer<typeof profile>;
export type Service = z.infer<typeof service>;

export const TABS = ['basic', 'social', 'services', 'content', 'payment'] as const;
export type Tab = (typeof TABS)[number];

/** The tab that contains a field, to open it when the field is invalid. */
export function tabOf(field: string): Tab {
  const first = field.split('.')[0] ?? '';
  if (['instagram', 'tiktok', 'youtube', 'twitter', 'website'].includes(first)) return 'social';
  if (first === 'services' || first === 'service_draft') return 'services';
  if (first === 'payment') return 'payment';
  return 'basic';
}

/** Current year minus birth year, as specified. */
export function ageOf(birth: string, today: Date): number | null {
  const year = Number(birth.slice(0, 4));
  return birth && year ? today.getFullYear() - year : null;
}

/** Switching a platform off clears its fields. */
export function switched<Account extends { on: boolean; link: string; followers?: string }>(
  now: Account,
  on: boolean,
): Account {
  return on ? { ...now, on } : { ...now, on, link: '', ...('followers' in now ? { followers: '' } : {}) };
}

/** A service needs a title and a description; the price is optional. */
export const canAdd = (draft: Service): boolean => draft.title.trim() !== '' && draft.description.trim() !== '';
