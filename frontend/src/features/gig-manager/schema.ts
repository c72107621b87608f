// A gig's validation rules. Only the first error is shown.
import { z } from 'zod';

export const NEEDED = 'Title and description are required';

const needed = (name: string, most: number) =>
  z.string().trim().min(1, NEEDED).max(most, `${name} can have at most ${most} characters`);
const optional = (name: string, most: number) =>
  z.string().trim().max(most, `${name} can have at most ${most} characters`);

export const gig = z.object({
  title: needed('Title', 200),
  description: needed('Description', 5000),
  budget: optional('Budget', 100),
  duration: optional('Duration', 100),
  requirements: optional('Requirements', 2000),
});

export type GigForm = z.infer<typeof gig>;

export const FIELDS = ['title', 'description', 'budget', 'duration', 'requirements'] as const;

export const EMPTY_GIG: GigForm = { title: '', description: '', budget: '', duration: '', requirements: '' };
