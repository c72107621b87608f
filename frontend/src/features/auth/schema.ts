import { z } from 'zod';

/** The first broken rule is the one that is shown, so their order is the fields' order. */
export const credentials = z.object({
  email: z.email('Invalid email address'),
  password: z.string().min(6, 'Password must be at least 6 characters'),
});

export type Credentials = z.infer<typeof credentials>;

export interface FieldFault {
  field: 'email' | 'password';
  message: string;
}

export function firstFault(input: Credentials): FieldFault | undefined {
  const result = credentials.safeParse(input);
  const issue = result.success ? undefined : result.error.issues[0];
  return issue && { field: issue.path[0] as FieldFault['field'], message: issue.message };
}
