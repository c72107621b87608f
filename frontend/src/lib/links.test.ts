import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, it } from 'vitest';
import { safeLink, shownAddress, whatsAppLink } from './links';

it.each(['javascript:alert(1)', 'data:text/html,x', 'not a link', '', null])('rejects %s', (link) => {
  expect(safeLink(link)).toBeUndefined();
});

it('accepts web addresses', () => {
  expect(safeLink('https://example.test/x')).toBe('https://example.test/x');
});

it.each([
  ['https://www.lumut.test/', 'lumut.test'],
  ['http://lumut.test/about', 'lumut.test/about'],
])('shows %s as %s', (url, text) => {
  expect(shownAddress(url)).toBe(text);
});

it.each([
  ['+60 12-345 6789', 'https://wa.me/60123456789'],
  ['09-555 0126', 'https://wa.me/6095550126'],
  ['(03) 8888.1234', 'https://wa.me/60388881234'],
  ['012-345 6789', 'https://wa.me/60123456789'],
  ['12-345 6789', 'https://wa.me/60123456789'],
  ['+60 (0)12-345 6789', 'https://wa.me/60123456789'],
  ['0065 6123 4567', 'https://wa.me/6561234567'],
  ['+65 6123 4567', 'https://wa.me/6561234567'],
  ['60123456789', 'https://wa.me/60123456789'],
])('links %s to %s', (phone, link) => {
  expect(whatsAppLink(phone)).toBe(link);
});

// Public pages use a short rule instead of the library, which is 30 KB.
it.each([
  '+60 12-345 6789',
  '09-555 0126',
  '(03) 8888.1234',
  '012-345 6789',
  '011-2345 6789',
  '12-345 6789',
  '+65 6123 4567',
  '+44 20 7946 0958',
  '1300 88 2525',
  '60123456789',
])('links %s like libphonenumber', (phone) => {
  const number = parsePhoneNumberFromString(phone, 'MY');
  expect(whatsAppLink(phone)).toBe(`https://wa.me/${number?.number.slice(1)}`);
});

it.each([null, undefined, '', '-', 'ask us'])('has no chat link for %s', (phone) => {
  expect(whatsAppLink(phone)).toBeUndefined();
});
