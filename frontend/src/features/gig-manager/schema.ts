// A gig's validation rules. Only the first error is shown.
import { z } from 'zod';
import { todayInMalaysia } from '@/lib/dates';
import { oneLine } from '@/lib/one-line';

export const NEEDED = 'Title and description are required';

const needed = (name: string, most: number) =>
  z.string().trim().min(1, NEEDED).max(most, `${name} can have at most ${most} characters`);
const optional = (name: string, most: number) =>
  z.string().trim().max(most, `${name} can have at most ${most} characters`);
const line = (rule: z.ZodString) => z.string().overwrite(oneLine).pipe(rule);

export const gig = z.object({
  title: line(needed('Title', 200)),
  description: needed('Description', 5000),
  budget: line(optional('Budget', 100)),
  duration: line(optional('Duration', 100)),
  requirements: optional('Requirements', 2000),
  closes_on: z.string().optional(),
  places: z
    .string()
    .trim()
    .refine((text) => !text || (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000), {
      message: 'Places must be a number from 1 to 1,000',
    })
    .optional(),
});

/** A last day that was already set may be over; a new one may not. */
export const gigSaved = (saved: GigForm) =>
  gig.refine(({ closes_on: day }) => !day || day === saved.closes_on || day >= todayInMalaysia(), {
    path: ['closes_on'],
    message: "The last day to apply can't be in the past",
  });

export type GigForm = z.infer<typeof gig>;

export const FIELDS = ['title', 'description', 'budget', 'duration', 'requirements', 'closes_on', 'places'] as const;

export const EMPTY_GIG: GigForm = { title: '', description: '', budget: '', duration: '', requirements: '' };

/** A form's values. A gig without a last day or a number of places has no value for it. */
export const inputOf = (form: GigForm): Required<GigForm> => ({
  ...form,
  closes_on: form.closes_on ?? '',
  places: form.places ?? '',
});
