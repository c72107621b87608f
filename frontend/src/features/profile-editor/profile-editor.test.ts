import { describe, expect, it } from 'vitest';
import { changedFields } from '@/features/editing/changes';
import { ETHNICITIES } from '@/lib/ethnicities';
import { FIELD_NAMES } from './fields';
import { EMPTY_FORM, formOf, type InfluencerRow, photosOf, rowOf } from './record';
import { ageOf, canAdd, profile, switched, tabOf } from './schema';

const valid = { ...EMPTY_FORM, name: 'Sofea', username: 'sofea', category: 'Fashion' };
const messageFor = (part: object) => profile.safeParse({ ...valid, ...part }).error?.issues[0]?.message;

describe('the validation rules', () => {
  it('require name, username and category, in this order', () => {
    expect(profile.safeParse(EMPTY_FORM).error?.issues.map((issue) => issue.message)).toEqual([
      'Name is required',
      'Username is required',
      'Category is required',
    ]);
    expect(messageFor({})).toBeUndefined();
  });

  it('enforce the length limits', () => {
    expect(messageFor({ name: 'x'.repeat(101) })).toContain('100');
    expect(messageFor({ username: 'x'.repeat(51) })).toContain('50');
    expect(messageFor({ location: 'x'.repeat(101) })).toContain('100');
    expect(messageFor({ bio: 'x'.repeat(501) })).toContain('500');
    expect(messageFor({ bio: 'x'.repeat(500) })).toBeUndefined();
  });

  it('make names one line of visible text, and keep the lines of a bio', () => {
    const pasted = {
      name: 'So\u200Bfea\nTan',
      username: '\u202Esofea',
      location: 'Kuala\u00A0Lumpur',
      height: '1.7\tm',
    };
    const clean = { name: 'Sofea Tan', username: 'sofea', location: 'Kuala Lumpur', height: '1.7 m' };
    const bio = 'One\ntwo';
    expect(profile.parse({ ...valid, ...pasted, bio })).toMatchObject({ ...clean, bio });
    expect(messageFor({ name: '\u200B' })).toBe('Name is required');
  });

  it('also make titles, prices, follower counts and payment details one line', () => {
    const account = { on: true, link: '', followers: ' 12\u200BK' };
    const services = [{ title: 'A\nreel', description: 'One\ntwo', price: 'RM\u00A05' }];
    const payment = {
      ...EMPTY_FORM.payment,
      bank_name: 'May\u202Ebank',
      account_number: '1\t2',
      account_holder: 'So\u2066fea',
      paypal_email: '\u200Ba@b.my ',
      payment_notes: 'One\ntwo',
    };
    expect(profile.parse({ ...valid, tiktok: account, services, payment })).toMatchObject({
      tiktok: { followers: '12K' },
      services: [{ title: 'A reel', description: 'One\ntwo', price: 'RM 5' }],
      payment: {
        bank_name: 'Maybank',
        account_number: '1 2',
        account_holder: 'Sofea',
        paypal_email: 'a@b.my',
        payment_notes: 'One\ntwo',
      },
    });
    expect(messageFor({ services: [{ ...services[0], title: '\u200B' }] })).toBe('Title is required');
  });

  it('allow an http or https link, or none', () => {
    for (const link of ['youtube/sofea', 'javascript:alert(1)', 'ftp://x.test']) {
      expect(messageFor({ youtube: { on: true, link, followers: '' } })).toBe(
        'Enter a link such as https://example.com',
      );
    }
    expect(messageFor({ youtube: { on: true, link: '', followers: '' } })).toBeUndefined();
    expect(messageFor({ youtube: { on: true, link: 'https://x.test', followers: '' } })).toBeUndefined();
  });

  it('open the tab that contains the invalid field', () => {
    expect([tabOf('name'), tabOf('youtube.link'), tabOf('payment.paypal_email'), tabOf('services.0')]).toEqual([
      'basic',
      'social',
      'payment',
      'services',
    ]);
  });
});

it('offers 34 different ethnicities, starting with Malay, Chinese, Indian', () => {
  expect(new Set(ETHNICITIES).size).toBe(34);
  expect(ETHNICITIES.slice(0, 3)).toEqual(['Malay', 'Chinese', 'Indian']);
});

it('computes the age in calendar years', () => {
  expect(ageOf('1999-12-31', new Date(2026, 0, 1))).toBe(27);
  expect(ageOf('', new Date())).toBeNull();
});

it('clears link and count when a platform is switched off', () => {
  expect(switched({ on: true, link: 'https://x.test', followers: '1K' }, false)).toEqual({
    on: false,
    link: '',
    followers: '',
  });
  expect(switched({ on: true, link: 'https://x.test' }, false)).toEqual({ on: false, link: '' });
});

it('requires title and description to add a service', () => {
  expect(canAdd({ title: 'a', description: ' ', price: '' })).toBe(false);
  expect(canAdd({ title: 'a', description: 'b', price: '' })).toBe(true);
});

describe('the record', () => {
  const pictures = { slots: { cover: null, profile: '/p.webp' }, photos: ['/1.webp'] };

  it('contains only columns the owner controls', () => {
    const sent = Object.keys(rowOf(valid, pictures, null, new Date()));
    for (const column of [
      'approved',
      'verified',
      'badge_type',
      'access_gigs_page',
      'subscription_start_date',
      'id',
      'created_at',
    ]) {
      expect(sent).not.toContain(column);
    }
    expect(sent).toEqual(
      expect.arrayContaining(['payment_info', 'services', 'content_posts', 'tiktok_followers', 'website_link']),
    );
  });

  it('is read back into the form unchanged', () => {
    const form = {
      ...valid,
      bio: 'Hello',
      date_of_birth: '1999-03-14',
      instagram: { on: true, link: 'https://i.test/a', followers: '12K' },
      services: [{ title: 'Reel', description: 'One', price: '' }],
      payment: { ...valid.payment, payment_method: 'both' as const, paypal_email: 'a@b.my' },
    };
    const row = rowOf(form, pictures, null, new Date(2026, 5, 1)) as InfluencerRow;
    expect(row.age).toBe(27);
    expect(formOf(row)).toEqual(form);
    expect(photosOf(row.content_posts)).toEqual(['/1.webp']);
  });

  it('keeps a known age without a date of birth', () => {
    expect(rowOf(valid, pictures, { age: 31 } as InfluencerRow, new Date()).age).toBe(31);
  });
});

it('names the changed fields', () => {
  expect(changedFields(FIELD_NAMES, { bio: true, instagram: { link: true, on: false }, services: [] }, true)).toEqual([
    'Bio',
    'Instagram',
    'Pictures',
  ]);
  expect(changedFields(FIELD_NAMES, {}, false)).toEqual([]);
});
