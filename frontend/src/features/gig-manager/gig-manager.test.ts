import { expect, it } from 'vitest';
import { EMPTY_GIG, FIELDS, gig, NEEDED } from './schema';
import { draftOf } from './use-gig-draft';

const valid = { ...EMPTY_GIG, title: 'Hosts', description: 'Two of them' };
const firstMessage = (part: object) => gig.safeParse({ ...valid, ...part }).error?.issues[0]?.message;

it('requires title and description after trimming', () => {
  for (const part of [{ title: '' }, { title: ' \t\n' }, { description: '  ' }])
    expect(firstMessage(part)).toBe(NEEDED);
  expect(gig.parse({ ...valid, title: '  Hosts ' }).title).toBe('Hosts');
});

it('makes title, budget and duration one line of visible text', () => {
  const pasted = { title: 'Two\nhosts', budget: 'RM\u00A0500', duration: '2\u202E days', description: 'One\ntwo' };
  const clean = { title: 'Two hosts', budget: 'RM 500', duration: '2 days', description: 'One\ntwo' };
  expect(gig.parse({ ...valid, ...pasted })).toMatchObject(clean);
});

it("enforces the database's length limits", () => {
  for (const [name, most] of [
    ['title', 200],
    ['description', 5000],
    ['budget', 100],
    ['duration', 100],
    ['requirements', 2000],
  ] as const) {
    expect(firstMessage({ [name]: 'x'.repeat(most + 1) }), name).toContain(String(most));
    expect(firstMessage({ [name]: 'x'.repeat(most) }), name).toBeUndefined();
  }
  expect(FIELDS).toEqual(Object.keys(gig.shape));
});

it('starts editing with the stored values', () => {
  const stored = { id: '1', created_at: '', title: 'Hosts', description: 'Two', budget: 'RM 1' };
  expect(draftOf({ ...stored, duration: null, requirements: null })).toEqual({
    gigId: '1',
    isNew: false,
    saved: { title: 'Hosts', description: 'Two', budget: 'RM 1', duration: '', requirements: '' },
  });
});
