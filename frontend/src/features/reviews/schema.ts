// A review's validation rules, the same as the table's constraints, in the form's order. Only the first error is shown.
import { z } from 'zod';

export const MIN_TEXT = 20;
export const MAX_TEXT = 1000;

export const reviewForm = z.object({
  rating: z.string().regex(/^[1-5]$/, 'Choose 1 to 5 stars'),
  text: z
    .string()
    .trim()
    .min(MIN_TEXT, `Write at least ${MIN_TEXT} characters`)
    .max(MAX_TEXT, `Write at most ${MAX_TEXT.toLocaleString('en')} characters`),
  paid: z.enum(['', 'yes', 'no']),
});

export type ReviewForm = z.infer<typeof reviewForm>;

export const EMPTY_REVIEW: ReviewForm = { rating: '', text: '', paid: '' };

export const STAR_NAMES = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'] as const;
