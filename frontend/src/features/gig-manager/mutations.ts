import { constraintOf } from '@/lib/errors';
import { rest } from '@/lib/supabase';
import { agencyIdOf } from './queries';
import type { GigForm } from './schema';

/** The agency record was deleted after the page was opened. */
export class NoAgency extends Error {
  constructor() {
    super('Agency profile not found');
  }
}

/** Another tab deleted the gig first. */
export class GigGone extends Error {
  constructor() {
    super('This gig no longer exists. It may have been deleted in another tab.');
  }
}

const columnsOf = (form: GigForm) => ({
  title: form.title,
  description: form.description,
  budget: form.budget || null,
  duration: form.duration || null,
  requirements: form.requirements || null,
});

const limitsOf = (form: GigForm) => ({
  closes_on: form.closes_on || null,
  places: form.places ? Number(form.places) : null,
});

const onlySet = <Row extends object>(row: Row): Partial<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<Row>;

/** `id` is chosen when the form opens, so that trying again after a lost response creates only one gig. */
export async function createGig(userId: string, id: string, form: GigForm): Promise<void> {
  const agencyId = await agencyIdOf(userId);
  if (!agencyId) throw new NoAgency();
  const { error } = await rest()
    .from('gigs')
    .insert({ id, agency_id: agencyId, ...columnsOf(form), ...onlySet(limitsOf(form)) });
  // An earlier attempt created the gig, but its response was lost. Update it with the current values.
  if (constraintOf(error) === 'gigs_pkey') return updateGig(userId, id, form);
  if (error) throw error;
}

export async function updateGig(userId: string, id: string, form: GigForm): Promise<void> {
  const { data, error } = await rest()
    .from('gigs')
    .update({ ...columnsOf(form), ...limitsOf(form) })
    .eq('id', id)
    .select('id');
  if (error) throw error;
  if (data.length > 0) return;
  // Deleting the agency's record also deletes its gigs.
  throw (await agencyIdOf(userId)) ? new GigGone() : new NoAgency();
}

/** Deleting a gig that no longer exists succeeds. */
export async function deleteGig(id: string): Promise<void> {
  const { error } = await rest().from('gigs').delete().eq('id', id);
  if (error) throw error;
}
