// Runs the code blocks of documents unchanged: shell commands in bash, JavaScript in this process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Variables that a block can use without declaring them, and those that earlier blocks have declared. */
export type Names = Record<string, unknown>;

const AsyncFunction = (async () => undefined).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<Names>;

const NAMES = /^(?:const|let) (?:(\w+)|\{(.*?)\}) = /gms;

/** Destructured names: `{ data, error }`, `{ data: { user } }`. */
const destructured = (pattern: string) =>
  pattern
    .replace(/\w+:/g, '')
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim());

const declared = (code: string) =>
  [...code.matchAll(NAMES)].flatMap(([, name, pattern]) => (name ? [name] : destructured(pattern ?? '')));

/** Runs the block and returns its top-level variables. */
export async function runScript(code: string, names: Names): Promise<Names> {
  const imported = [...code.matchAll(/^import (?:\{ )?(\w+)(?: \})? from '.*';$/gm)].map(([, name]) => name ?? '');
  for (const name of imported) assert.ok(name in names, `the test provides no ${name}`);
  const own = declared(code);
  const given = Object.keys(names).filter((name) => !own.includes(name));
  const body = code.replace(/^import .*$/gm, '');
  const script = new AsyncFunction(...given, `'use strict'; ${body}\nreturn { ${own.join(', ')} };`);
  return script(...given.map((name) => names[name]));
}

/**
 * cargo and npm as the documents call them, without a build or a download: `cargo run … -- status` calls the program
 * under test, which is already running, and a package to be installed must already exist.
 */
const COMMANDS = `
  set -euo pipefail
  cargo() {
    while [ "$1" != -- ]; do shift; done
    shift
    if [ "$1" = up ]; then "$SERASI" "$@" --help > /dev/null; else "$SERASI" "$@" --data-dir "$DATA_DIR"; fi
  }
  npm() { [ "$1" = install ] && [ -d "$CLIENTS/node_modules/$2" ]; }
`;

/** Runs shell commands in `folder`, and returns their output. */
export async function runShell(commands: string, folder: string): Promise<string> {
  const CLIENTS = new URL('..', import.meta.url).pathname;
  const options = { cwd: folder, env: { ...process.env, CLIENTS } };
  const { stdout } = await promisify(execFile)('bash', ['-c', COMMANDS + commands], options);
  return stdout;
}
