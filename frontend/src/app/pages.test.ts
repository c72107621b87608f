import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import pages from '@/lib/pages.json';

it('every page of an account is opened by an end-to-end test: add one to frontend/e2e', () => {
  const folder = new URL('../../e2e/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const tests = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  // Links in e-mails lead to the pages below /auth.
  const own = Object.values(pages).filter(({ path }) => !path.includes(':') && !path.startsWith('/auth/'));
  expect(own.map(({ path }) => path).filter((path) => !tests.includes(path))).toEqual([]);
});
