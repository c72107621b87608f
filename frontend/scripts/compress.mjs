// Runs after the build: writes Brotli and gzip versions of each text file at the highest level, so that the server can
// send them without compressing.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const DIST = new URL('../dist', import.meta.url).pathname;
const TEXT = /\.(js|css|svg|json|webmanifest|txt|xml)$/;
/** Below this size, compression saves less than its header costs. */
const SMALLEST = 512;

for (const name of await readdir(DIST, { recursive: true })) {
  const file = join(DIST, name);
  if (!TEXT.test(name) || (await stat(file)).size < SMALLEST) continue;
  const text = await readFile(file);
  const brotli = await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await writeFile(`${file}.br`, brotli);
  await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
}
