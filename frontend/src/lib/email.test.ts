import { expect, it } from 'vitest';
import { isEmail, mailTo } from './email';

const AT_MAIL = '@mail.test';

it.each(['me@ex.com', 'a.b+c@mail.ex.com.my', "o'neil!x@ex.com", 'nur@contoh.भारत', 'a'.repeat(244) + AT_MAIL])(
  'accepts %s, like the database',
  (address) => expect(isEmail(address)).toBe(true),
);

it.each([
  '',
  'me',
  '@ex.com',
  'me@ex',
  'me@ex.com.',
  'me@.com@ex.com',
  'me;x@ex.com',
  'me,x@ex.com',
  'me:x@ex.com',
  '<me@ex.com>',
  '(me)@ex.com',
  '"me"@ex.com',
  'me\\x@ex.com',
  'me x@ex.com',
  'me@ex.com\n',
  'me\u202E@ex.com',
  'me@ex\u200B.com',
  'a'.repeat(245) + AT_MAIL,
])('rejects %j', (address) => expect(isEmail(address)).toBe(false));

it('counts characters as the database does, not UTF-16 units', () => {
  expect(isEmail('😀'.repeat(244) + AT_MAIL)).toBe(true);
  expect(isEmail('😀'.repeat(245) + AT_MAIL)).toBe(false);
});

it('links to an address, and to nothing else in it', () => {
  expect(mailTo('me+you@ex.com')).toBe('mailto:me%2Byou@ex.com');
  const link = new URL(mailTo('a?bcc=b&body=c%0d@ex.com'));
  expect([link.search, decodeURIComponent(link.pathname)]).toEqual(['', 'a?bcc=b&body=c%0d@ex.com']);
});
