import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import pages from '@/lib/pages.json';

it('every page of an account is opened by an end-to-end test: add one to frontend/e2e', () => {
  const files = readdirSync('e2e').filter((name) => name.endsWith('.ts'));
  const tests = files.map((name) => readFileSync(`e2e/${name}`, 'utf8')).join('\n');
  // Links in e-mails lead to the pages below /auth.
  const own = Object.values(pages).filter(({ path }) => !path.includes(':') && !path.startsWith('/auth/'));
  expect(own.map(({ path }) => path).filter((path) => !new RegExp(`['"\`}]${path}['"\`?#]`).test(tests))).toEqual([]);
});
