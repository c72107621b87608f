import { functions } from '@/lib/functions';
import { rest } from '@/lib/supabase';
import type { GuestBrief } from './queries';
import type { BriefForm } from './schema';

/** The server rejected the brief. The message is for the sender. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Sent {
  enquiries: { id: string; influencer_id: string; state: string }[];
  /** How many more can be sent today; for accounts only. */
  remaining?: number;
}

const amount = (text: string) => (text ? Number(text) : null);

export async function sendBrief(to: string[], form: BriefForm): Promise<Sent> {
  const { data, error } = await functions().invoke<Sent>('enquiries', {
    body: {
      influencer_ids: to,
      deliverables: form.deliverables,
      message: form.message,
      budget_from: amount(form.budget_from),
      budget_to: amount(form.budget_to),
      starts_on: form.starts_on || null,
      ends_on: form.ends_on || null,
      name: form.name || null,
      company: form.company || null,
      email: form.email || null,
    },
  });
  if (data) return data;
  const response: unknown = error && 'context' in error ? error.context : undefined;
  if (!(response instanceof Response)) throw new Refused('We couldn’t reach the server. Check your connection.', 0);
  const body: { error?: string } = await response.json().catch(() => ({}));
  throw new Refused(body.error ?? 'Something went wrong on our side. Please try again.', response.status);
}

export async function answerEnquiry(id: string, answer: { accept: boolean; text: string }): Promise<void> {
  const { accept, text } = answer;
  const given = accept ? { answer: text } : { reason: text };
  const { error } = await rest().rpc('answer_enquiry', { enquiry_id: id, accept, ...given });
  if (error) throw error;
}

export async function withdrawEnquiry(id: string): Promise<void> {
  const { error } = await rest().rpc('withdraw_enquiry', { enquiry_id: id });
  if (error) throw error;
}

export async function confirmBrief(token: string): Promise<GuestBrief> {
  const { data, error } = await rest().rpc('confirm_enquiry', { token });
  if (error) throw error;
  return data as unknown as GuestBrief;
}

export async function withdrawAsGuest(token: string, id: string): Promise<GuestBrief> {
  const { data, error } = await rest().rpc('withdraw_guest_enquiry', { token, enquiry_id: id });
  if (error) throw error;
  return data as unknown as GuestBrief;
}
