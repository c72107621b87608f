// Gigs of a single test, and applications for them, made through the API.
import { type Caller, posted } from './accounts';
import type { Api } from './api';
import { type Business, newAgency, withRecord } from './businesses';

export const PITCH = 'I have hosted ten food festivals, and I live nearby.';

const returning = ({ headers }: Caller) => ({ ...headers, Prefer: 'return=representation' });

/** A new agency with one gig. */
export async function agencyWithGig(
  request: Api,
  gig: object = {},
): Promise<Business & { id: string; gigId: string; title: string }> {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  const title = `Hosts for ${me.name}`;
  const row = { agency_id: me.id, title, description: 'Three days.', ...gig };
  const [{ id: gigId }] = await posted(request, '/rest/v1/gigs', returning(me), row);
  return { ...me, title, gigId };
}

/** Applies, and returns the application's id. */
export async function applies(request: Api, caller: Caller, gigId: string): Promise<string> {
  const row = { gig_id: gigId, pitch: PITCH };
  const [{ id }] = await posted(request, '/rest/v1/gig_applications', returning(caller), row);
  return id;
}
