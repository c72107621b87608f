import { describe, expect, it } from 'vitest';
import { columnsOf, formOf, picturesOf, rowOf, type VendorRow } from './record';
import { FIELD_NAMES, tabOf, vendor } from './schema';

const valid = { ...formOf(null), name: 'Tandu', email: 'hello@tandu.test' };
const messagesFor = (part: object) =>
  vendor.safeParse({ ...valid, ...part }).error?.issues.map((issue) => issue.message) ?? [];

describe('the validation rules', () => {
  it('require name and e-mail, in this order', () => {
    expect(messagesFor({ name: '', email: 'hello@tandu' })).toEqual(['Name is required', 'Valid email is required']);
    expect(messagesFor({})).toEqual([]);
  });

  it('make names one line of visible text, and keep the lines of a description', () => {
    const pasted = { name: 'Rim\u200Bba', company_name: 'Rimba\nBhd', phone: '+60\u00A012', location: '\u202EIpoh' };
    const clean = { name: 'Rimba', company_name: 'Rimba Bhd', phone: '+60 12', location: 'Ipoh' };
    const description = 'One\ntwo';
    expect(vendor.parse({ ...valid, ...pasted, description })).toMatchObject({ ...clean, description });
  });

  it('enforce the length limits exactly', () => {
    for (const [name, most] of [
      ['name', 100],
      ['company_name', 100],
      ['description', 500],
      ['phone', 20],
      ['location', 100],
      ['type', 50],
    ] as const) {
      expect(messagesFor({ [name]: 'x'.repeat(most + 1) }), name).toEqual([
        `${FIELD_NAMES[name]} can have at most ${most} characters`,
      ]);
      expect(messagesFor({ [name]: 'x'.repeat(most) }), name).toEqual([]);
    }
    expect(messagesFor({ website: 'ftp://tandu.test' })).toEqual(['Enter a link such as https://example.com']);
  });

  it('are in the order of the tabs', () => {
    expect([...new Set(Object.keys(vendor.shape).map(tabOf))]).toEqual(['basic', 'contact']);
    expect(Object.keys(FIELD_NAMES)).toEqual(Object.keys(vendor.shape));
  });
});

it('the record is read back unchanged, and contains no column that admins control', () => {
  const form = { ...valid, type: 'Catering', website: 'https://tandu.test' };
  const pictures = { slots: { logo: '/l.webp' }, photos: [] };
  const row = rowOf(form, pictures) as VendorRow;
  expect(formOf(row)).toEqual(form);
  expect(picturesOf(row)).toEqual(pictures);
  expect(columnsOf(row)).toEqual(rowOf(form, pictures));
  expect(Object.keys(row).filter((name) => /^(id|user_id|badge_type|access_|subscription_)/.test(name))).toEqual([]);
});
