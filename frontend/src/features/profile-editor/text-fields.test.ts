// What a text field needs besides its line in text-fields.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EMPTY_FORM, rowOf } from './record';
import { TEXT_FIELDS, TEXT_NAMES } from './text-fields';

const read = (file: string) => readFileSync(`../${file}`, 'utf8');
const table = read('db/schema.snapshot').split('\ntable app.influencers ')[1]?.split('\ntable ')[0] ?? '';

it('exists for every column that the owner may write: add it to text-fields.ts', () => {
  const granted = table.match(/grant update \((.*)\) to authenticated/)?.[1]?.split(', ') ?? [];
  const sent = Object.keys(rowOf(EMPTY_FORM, { slots: { cover: null, profile: null }, photos: [] }, null, new Date()));
  expect(granted.length).toBeGreaterThan(20);
  expect(granted.filter((column) => !sent.includes(column))).toEqual([]);
});

it('has the limit of the column', () => {
  for (const name of TEXT_NAMES) {
    const { most, options } = TEXT_FIELDS[name];
    expect(most || options, name).toBeTruthy();
    if (most) expect(table).toContain(`constraint influencers_${name}_max_${most} `);
  }
});

it('is shown on the profile: add it to src/features/influencers/components/facts.tsx', () => {
  const folder = 'frontend/src/features/influencers/components';
  const names = readdirSync(`../${folder}`);
  const profile = names.map((name) => read(`${folder}/${name}`)).join('\n');
  expect(TEXT_NAMES.filter((name) => !new RegExp(`\\.${name}\\b`).test(profile))).toEqual([]);
});

it('is in the guide: add it to the table in docs/user-guide.md', () => {
  const row = read('docs/user-guide.md').match(/^\| Basic Info .*$/m)?.[0] ?? '';
  expect(TEXT_NAMES.filter((name) => !row.includes(TEXT_FIELDS[name].label.toLowerCase()))).toEqual([]);
});
