// The form's rules, the same as the database's. The fields are in the form's order, because only the first error is
// shown.
import { z } from 'zod';
import { todayInMalaysia } from '@/lib/dates';
import { isEmail } from '@/lib/email';
import { oneLine } from '@/lib/one-line';

const HIGHEST = 100_000_000;

const ringgit = z
  .string()
  .trim()
  .transform((text) => text.replace(/[,\s]/g, ''))
  .refine((text) => /^\d*$/.test(text), 'Enter the budget in whole ringgit, such as 1500')
  .refine((text) => !(Number(text) > HIGHEST), 'The budget can be at most RM 100,000,000');

const line = (name: string) => z.string().overwrite(oneLine).max(100, `${name} can have at most 100 characters`);

const fields = z.object({
  deliverables: z
    .string()
    .trim()
    .min(1, 'Enter the deliverables')
    .max(500, 'The deliverables can have at most 500 characters'),
  budget_from: ringgit,
  budget_to: ringgit,
  starts_on: z.string(),
  ends_on: z.string(),
  message: z
    .string()
    .trim()
    .min(20, 'The message needs at least 20 characters')
    .max(2000, 'The message can have at most 2,000 characters'),
  name: line('Name'),
  company: line('Company'),
  email: z.string().trim(),
});

export type BriefForm = z.infer<typeof fields>;

function fault(form: BriefForm, guest: boolean): [keyof BriefForm, string] | undefined {
  const { budget_from, budget_to, starts_on, ends_on } = form;
  if (budget_from && budget_to && Number(budget_to) < Number(budget_from)) {
    return ['budget_to', "The highest budget can't be below the lowest"];
  }
  if (starts_on && starts_on < todayInMalaysia()) return ['starts_on', "The dates can't be in the past"];
  if (ends_on && ends_on < todayInMalaysia()) return ['ends_on', "The dates can't be in the past"];
  if (starts_on && ends_on && ends_on < starts_on) return ['ends_on', "The last day can't be before the first"];
  if (guest && !form.name) return ['name', 'Enter your name'];
  if (guest && !isEmail(form.email)) return ['email', 'Enter a valid e-mail address'];
  return undefined;
}

/** A guest also needs a name and an address. */
export const briefSchema = (guest: boolean) =>
  fields.superRefine((form, context) => {
    const found = fault(form, guest);
    if (found) context.addIssue({ code: 'custom', path: [found[0]], message: found[1] });
  });

export const EMPTY_BRIEF: BriefForm = {
  deliverables: '',
  budget_from: '',
  budget_to: '',
  starts_on: '',
  ends_on: '',
  message: '',
  name: '',
  company: '',
  email: '',
};
