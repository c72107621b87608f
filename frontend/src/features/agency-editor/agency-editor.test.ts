import { describe, expect, it } from 'vitest';
import { type AgencyRow, columnsOf, formOf, picturesOf, rowOf } from './record';
import { agency, FIELD_NAMES, tabOf } from './schema';

const valid = { ...formOf(null), name: 'Rimba', email: 'halo@rimba.test' };
const messagesFor = (part: object) =>
  agency.safeParse({ ...valid, ...part }).error?.issues.map((issue) => issue.message) ?? [];

describe('the validation rules', () => {
  it('require name and e-mail, in this order', () => {
    expect(messagesFor({ name: ' ', email: '' })).toEqual(['Name is required', 'Valid email is required']);
    expect(messagesFor({})).toEqual([]);
  });

  it('make names one line of visible text, and keep the lines of a description', () => {
    const pasted = { name: 'Rim\u200Bba', company_name: 'Rimba\nBhd', phone: '+60\u00A012', location: '\u202EIpoh' };
    const clean = { name: 'Rimba', company_name: 'Rimba Bhd', phone: '+60 12', location: 'Ipoh' };
    const description = 'One\ntwo';
    expect(agency.parse({ ...valid, ...pasted, description })).toMatchObject({ ...clean, description });
  });

  it('enforce the length limits exactly', () => {
    for (const [name, most] of [
      ['name', 100],
      ['company_name', 100],
      ['description', 500],
      ['phone', 20],
      ['location', 100],
    ] as const) {
      expect(messagesFor({ [name]: 'x'.repeat(most + 1) }), name).toEqual([
        `${FIELD_NAMES[name]} can have at most ${most} characters`,
      ]);
      expect(messagesFor({ [name]: 'x'.repeat(most) }), name).toEqual([]);
    }
  });

  it('require an e-mail domain with a dot, and allow a full or empty website', () => {
    for (const email of ['hello@tandu', 'a b@c.my', '@c.my', `${'x'.repeat(250)}@c.my`]) {
      expect(messagesFor({ email }), email).toEqual(['Valid email is required']);
    }
    expect(messagesFor({ email: ' halo@rimba.test ' })).toEqual([]);
    expect(messagesFor({ website: 'rimba' })).toEqual(['Enter a link such as https://example.com']);
    expect(messagesFor({ website: 'https://rimba.test' })).toEqual([]);
  });

  it('are in the order of the tabs', () => {
    const tabs = Object.keys(agency.shape).map(tabOf);
    expect([...new Set(tabs)]).toEqual(['basic', 'contact', 'contract']);
    expect(tabs).toEqual([...tabs].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
    expect(Object.keys(FIELD_NAMES)).toEqual(Object.keys(agency.shape));
  });
});
const ORDER = ['basic', 'gallery', 'contact', 'contract', 'gigs'];

describe('the record', () => {
  const form = { ...valid, phone: '+60 9', type: 'PR', contracts_enabled: true };
  const pictures = { slots: { banner: '/b.webp', logo: null }, photos: ['/1.webp', '/2.webp'] };

  it('is read back unchanged', () => {
    const row = rowOf(form, pictures) as AgencyRow;
    expect(formOf(row)).toEqual(form);
    expect(picturesOf(row)).toEqual(pictures);
    expect(columnsOf(row)).toEqual(rowOf(form, pictures));
  });

  it('contains no column that admins control', () => {
    const columns = Object.keys(rowOf(form, pictures));
    expect(columns.filter((name) => /^(id|user_id|created_at|badge_type|access_|subscription_)/.test(name))).toEqual(
      [],
    );
  });
});
