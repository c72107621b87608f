import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import { z } from 'zod';

const email = z.string().trim().pipe(z.email('Invalid email address'));
const password = z.string().min(6, 'Password must be at least 6 characters');

/** Only the first error is shown, so the order of the fields matters. */
export const credentials = z.object({ email, password });

/** Checks only that both are present and the address has an @; the server decides the rest. */
export const adminCredentials = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'E-mail is required')
    .regex(/^\S+@\S+$/, 'Invalid email address'),
  password: z.string().min(1, 'Password is required'),
});

export const address = z.object({ email });
export const newPassword = z.object({ password });

export type Credentials = z.infer<typeof credentials>;
export type Address = z.infer<typeof address>;
export type NewPassword = z.infer<typeof newPassword>;

/** Reports only the first error to the form; its field gets the focus. */
export function firstFault<Values extends FieldValues>(schema: z.ZodType<Values, Values>): Resolver<Values> {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return { values: result.data, errors: {} };
    const issue = result.error.issues[0];
    const errors = issue ? { [issue.path.join('.')]: { type: issue.code, message: issue.message } } : {};
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}
