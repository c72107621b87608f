import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { organization } from '@/features/agencies/structured-data';
import { profilePage } from '@/features/influencers/structured-data';
import { StructuredData } from './structured-data';

afterEach(cleanup);

const ORIGIN = 'https://serasi.test';
type Influencer = Parameters<typeof profilePage>[0];
type Agency = Parameters<typeof organization>[0];
const influencer = {
  id: 'i1',
  name: 'Aisyah Rahmat',
  username: 'aisyah.jalan',
  bio: null,
  profile_image: '/storage/v1/object/public/images/a.webp',
  instagram_link: 'https://instagram.test/aisyah',
  tiktok_link: 'javascript:alert(1)',
  instagram_followers_count: 8900,
  tiktok_followers_count: 0,
  payment_info: 'Maybank 1234',
  date_of_birth: '1999-01-01',
} as Influencer;

test("a name can't end the script element", () => {
  const { container } = render(<StructuredData data={{ name: '</script><img src=x>' }} />);
  const text = container.querySelector('script')?.textContent ?? '';
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual({ name: '</script><img src=x>' });
});

test('an influencer is a person with absolute addresses, safe links and followers by platform', () => {
  const { mainEntity } = profilePage(influencer, ORIGIN);
  expect(mainEntity).toMatchObject({
    '@type': 'Person',
    name: 'Aisyah Rahmat',
    alternateName: 'aisyah.jalan',
    url: `${ORIGIN}/profile/i1`,
    sameAs: ['https://instagram.test/aisyah'],
    interactionStatistic: [{ userInteractionCount: 8900, interactionService: { name: 'Instagram' } }],
  });
  expect(mainEntity.image).toMatch(/^https:\/\/serasi\.test\//);
});

test('what the page does not show stays out', () => {
  const text = JSON.stringify(profilePage(influencer, ORIGIN));
  expect(text).not.toContain('Maybank');
  expect(text).not.toContain('1999-01-01');
});

test.each(['http://[', 'javascript:alert(1)'])('the picture %s is left out, and the page stays', (profile_image) => {
  expect(profilePage({ ...influencer, profile_image }, ORIGIN).mainEntity.image).toBeUndefined();
  expect(organization({ id: 'a1', logo_url: profile_image } as Agency, ORIGIN).logo).toBeUndefined();
});

test('the date of joining is as exact as on the page', () => {
  const joined = { ...influencer, created_at: '2026-11-24T22:58:06.331174+00:00' };
  expect(profilePage(joined, ORIGIN).dateCreated).toBe('2026-11');
});

test('an agency is an organization', () => {
  const agency = { id: 'a1', name: 'Lumut Studio', website: 'https://lumut.test', phone: '09-123' } as Agency;
  expect(organization(agency, ORIGIN)).toMatchObject({
    '@type': 'Organization',
    name: 'Lumut Studio',
    url: `${ORIGIN}/agency/a1`,
    telephone: '09-123',
    sameAs: 'https://lumut.test/',
  });
});
