import { rest } from '@/lib/supabase';
import type { ApplyForm } from './schema';

export type Decision = 'shortlisted' | 'accepted' | 'declined';

/** The result of a decision or a withdrawal. */
export interface Outcome {
  id: string;
  state: string;
  decided_at: string | null;
  collaboration_id: string | null;
}

export async function applyForGig(gigId: string, form: ApplyForm): Promise<void> {
  const { error } = await rest()
    .from('gig_applications')
    .insert({ gig_id: gigId, pitch: form.pitch, quote: form.quote ? Number(form.quote) : null });
  if (error) throw error;
}

export async function withdrawApplication(id: string): Promise<Outcome> {
  const { data, error } = await rest().rpc('withdraw_application', { application_id: id });
  if (error) throw error;
  return data as unknown as Outcome;
}

export async function decideApplication(id: string, decision: Decision): Promise<Outcome> {
  const { data, error } = await rest().rpc('decide_application', { application_id: id, decision });
  if (error) throw error;
  return data as unknown as Outcome;
}

/** The server declines at most this many with one request. */
export const MOST_DECLINED = 200;

export async function declineApplications(ids: string[]): Promise<Outcome[]> {
  const { data, error } = await rest().rpc('decline_applications', { application_ids: ids });
  if (error) throw error;
  return data as unknown as Outcome[];
}
