import { expect, it } from 'vitest';
import { arrivalOf } from './arrival';
import { linkOf, nextOf, placeOf } from './mailed-link';

const query = (text: string) => new URLSearchParams(text);

it('parses the kinds of links', () => {
  expect(linkOf(query('token_hash=abc&type=signup'))).toEqual({ kind: 'token', tokenHash: 'abc', type: 'signup' });
  expect(linkOf(query('arrived=recovery'))).toEqual({ kind: 'session', type: 'recovery' });
  expect(linkOf(query('code=c0de'))).toEqual({ kind: 'code', code: 'c0de' });
  for (const broken of ['', 'token_hash=abc', 'type=signup', 'token_hash=abc&type=toString', 'arrived=anything']) {
    expect(linkOf(query(broken)), broken).toEqual({ kind: 'broken' });
  }
});

it.each([
  ['/vendor-dashboard', '/vendor-dashboard'],
  ['https://here.test/pricing?tab=vendors', '/pricing?tab=vendors'],
  ['https://evil.test/', undefined],
  ['//evil.test', undefined],
  ['/\\evil.test', undefined],
  ['javascript:alert(1)', undefined],
  ['https://', undefined],
  ['', undefined],
  [null, undefined],
])('the destination %s becomes %s', (text, place) => {
  expect(placeOf(text, 'https://here.test')).toBe(place);
});

it("prefers the page's destination to the link's", () => {
  const { origin } = window.location;
  expect(nextOf(query(`redirect_to=${origin}/dashboard`))).toBe('/dashboard');
  expect(nextOf(query(`next=/pricing&redirect_to=${origin}/dashboard`))).toBe('/pricing');
  expect(nextOf(query('next=https://evil.test/&redirect_to=https://evil.test/'))).toBeUndefined();
});

const arrive = (address: string) => arrivalOf(new URL(address, 'https://here.test'));

it('redirects results from the server to the page that handles them', () => {
  expect(arrive('/dashboard#access_token=a&refresh_token=r&type=recovery')).toBe(
    '/auth/confirm?arrived=recovery&next=%2Fdashboard#access_token=a&refresh_token=r&type=recovery',
  );
  expect(arrive('/auth/confirm?next=%2Fpricing#access_token=a&type=odd')).toBe(
    '/auth/confirm?arrived=magiclink&next=%2Fpricing#access_token=a&type=odd',
  );
  const error = 'error=access_denied&error_code=otp_expired&error_description=x';
  expect(arrive(`/vendor-dashboard#${error}`)).toBe('/auth/link-expired?next=%2Fvendor-dashboard');
  expect(arrive(`/vendor-dashboard?${error}#${error}`)).toBe('/auth/link-expired?next=%2Fvendor-dashboard');
  expect(arrive('/#message=Confirmation+link+accepted')).toBe('/auth/confirmed?what=half&next=%2F');
});

it('leaves other URLs unchanged', () => {
  for (const address of ['/', '/#events', '/search?q=message=hello', '/auth/confirm?token_hash=a&type=signup']) {
    expect(arrive(address), address).toBeUndefined();
  }
});
