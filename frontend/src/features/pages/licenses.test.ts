import { expect, it } from 'vitest';
import { licenses } from '../../../scripts/licenses';

const found = licenses(process.cwd());

it('lists every license with its text', () => {
  expect(found.map(({ name }) => name)).toContain('MIT');
  for (const { name, text } of found) expect(text.length, name).toBeGreaterThan(300);
});

it('lists the fonts and libraries with version and copyright holder', () => {
  const packages = found.flatMap((license) => license.packages);
  for (const name of ['@fontsource-variable/figtree', '@fontsource-variable/familjen-grotesk', 'react', 'zod']) {
    expect(packages.find((one) => one.name === name)).toMatchObject({
      version: expect.stringMatching(/^\d/),
      holder: expect.stringContaining('Copyright'),
    });
  }
});

it('omits build-time dependencies', () => {
  const names = found.flatMap((license) => license.packages.map(({ name }) => name));
  expect(names).not.toContain('vite');
  expect(names).not.toContain('typescript');
});
