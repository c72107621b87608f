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

it.each([null, undefined, '', '-', 'ask us'])('has no chat link for %s', (phone) => {
  expect(whatsAppLink(phone)).toBeUndefined();
});
