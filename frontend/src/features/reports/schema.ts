// The report form's rules, in the form's order. Only the first error is shown.
import { z } from 'zod';
import { REASONS } from './kinds';

export const LONGEST_TEXT = 1000;

export const reportForm = z
  .object({
    reason: z.string().refine((reason) => REASONS.some(([name]) => name === reason), 'Choose a reason'),
    text: z
      .string()
      .trim()
      .max(LONGEST_TEXT, `The text can have at most ${LONGEST_TEXT.toLocaleString('en')} characters`),
  })
  .refine(({ reason, text }) => reason !== 'other' || text !== '', {
    path: ['text'],
    message: 'Describe what is wrong',
  });

export type ReportForm = z.infer<typeof reportForm>;

export const EMPTY_REPORT: ReportForm = { reason: '', text: '' };
