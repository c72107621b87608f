import { z } from 'zod';
import { STAFF_ROLES } from './staff-queries';

export const newAdmin = z.object({
  email: z.string().trim().min(1, 'E-mail is required').pipe(z.email('Invalid email address')),
  password: z.string().min(1, 'Password is required').min(6, 'Password must be at least 6 characters'),
  role: z.enum(STAFF_ROLES),
});
