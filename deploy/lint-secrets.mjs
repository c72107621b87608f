// Checks that every service of the compose files is given the secrets that its settings name.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** `!override` is Compose's own tag. */
const OVERRIDE = { tag: '!override', collection: 'map', resolve: (map) => map };

const read = (name) =>
  parse(readFileSync(new URL(name, import.meta.url), 'utf8'), { merge: true, customTags: [OVERRIDE] }).services;

const single = read('../compose.yaml');
const available = read('ha/compose.yaml');

let errors = 0;
for (const name of new Set([...Object.keys(single), ...Object.keys(available)])) {
  for (const [file, services] of [
    ['compose.yaml', [single[name]]],
    ['deploy/ha/compose.yaml', [single[name], available[name]]],
  ]) {
    const given = services.flatMap((service) => service?.secrets ?? []);
    const settings = Object.assign({}, ...services.map((service) => service?.environment));
    for (const [setting, value] of Object.entries(settings)) {
      for (const [, secret] of String(value).matchAll(/\/run\/secrets\/(\w+)/g)) {
        if (given.includes(secret)) continue;
        console.error(`${file}: ${name} needs the secret ${secret} for ${setting}`);
        errors += 1;
      }
    }
  }
}
process.exitCode = errors === 0 ? 0 : 1;
