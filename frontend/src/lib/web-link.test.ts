import { describe, expect, it } from 'vitest';
import { isWebLink, withScheme } from './web-link';

describe('a link that the database accepts', () => {
  it('has http or https and a full host name, or is empty', () => {
    for (const link of [
      '',
      'https://lumut.test',
      'http://a.b.my:8080/x?y=1#z',
      'HTTPS://LUMUT.TEST/',
      'https://lumut.test?a',
    ]) {
      expect(isWebLink(link), link).toBe(true);
    }
  });

  it('is rejected otherwise', () => {
    for (const link of [
      'lumut.test',
      'www.lumut.test',
      'javascript:alert(1)',
      'ftp://lumut.test',
      'https://localhost',
      'https://lumut',
      'https://somebody@lumut.test',
      'https://lumut.test/a b',
      'http://127.0.0.1/',
      'http://192.168.1.4/x',
      `https://lumut.test/${'x'.repeat(2000)}`,
    ]) {
      expect(isWebLink(link), link).toBe(false);
    }
  });
});

it.each([
  ['instagram.com/nadia', 'https://instagram.com/nadia'],
  ['www.lumut.test', 'https://www.lumut.test'],
  ['lumut.test:8080?x=1', 'https://lumut.test:8080?x=1'],
  ['http://lumut.test', 'http://lumut.test'],
  ['javascript:alert(1.5)', 'javascript:alert(1.5)'],
  ['nadia@lumut.test', 'nadia@lumut.test'],
  ['lumut', 'lumut'],
  ['', ''],
])('completes %s to %s', (typed, link) => {
  expect(withScheme(typed)).toBe(link);
});
