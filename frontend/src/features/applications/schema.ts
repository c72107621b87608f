// An application's validation rules.
import { z } from 'zod';

const PITCH_LEAST = 20;
export const PITCH_MOST = 1000;
const QUOTE_MOST = 10_000_000;

export const apply = z.object({
  pitch: z
    .string()
    .trim()
    .min(PITCH_LEAST, `Write at least ${PITCH_LEAST} characters`)
    .max(PITCH_MOST, `Your pitch can have at most ${PITCH_MOST.toLocaleString('en')} characters`),
  quote: z
    .string()
    .transform((text) => text.replace(/[\s,]/g, '').replace(/^RM/i, ''))
    .refine((text) => !text || (/^\d{1,8}$/.test(text) && Number(text) <= QUOTE_MOST), {
      message: 'Your quote must be whole ringgit, up to 10,000,000',
    }),
});

export type ApplyForm = z.infer<typeof apply>;

export const EMPTY_APPLICATION: ApplyForm = { pitch: '', quote: '' };
