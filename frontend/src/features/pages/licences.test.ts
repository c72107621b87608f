import { expect, it } from 'vitest';
import { licences } from '../../../scripts/licences';

const found = licences(process.cwd());

it('names every licence with its terms', () => {
  expect(found.map(({ name }) => name)).toContain('MIT');
  for (const { name, text } of found) expect(text.length, name).toBeGreaterThan(300);
});

it('names the fonts and the libraries, with version and holder', () => {
  const packages = found.flatMap((licence) => licence.packages);
  for (const name of ['@fontsource-variable/figtree', '@fontsource-variable/familjen-grotesk', 'react', 'zod']) {
    expect(packages.find((one) => one.name === name)).toMatchObject({
      version: expect.stringMatching(/^\d/),
      holder: expect.stringContaining('Copyright'),
    });
  }
});

it('leaves out what only the build needs', () => {
  const names = found.flatMap((licence) => licence.packages.map(({ name }) => name));
  expect(names).not.toContain('vite');
  expect(names).not.toContain('typescript');
});
