// Runs after the build: fails when the first page's script or CSS, compressed with gzip, exceeds its budget.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** In bytes. */
export const BUDGET = { script: 150_000, CSS: 20_000 };

/** The files that every page loads: the entry of Vite's manifest with its static imports, and the start script. */
export function firstFiles(manifest) {
  const chunks = new Set();
  const add = (name) => {
    if (chunks.has(name)) return;
    chunks.add(name);
    for (const other of manifest[name].imports ?? []) add(other);
  };
  add('index.html');
  const all = [...chunks].map((name) => manifest[name]);
  return {
    script: ['start.js', ...all.map(({ file }) => file)],
    CSS: [...new Set(all.flatMap(({ css }) => css ?? []))],
  };
}

/** One line for each kind that exceeds its budget. */
export function excesses(sizes) {
  return Object.entries(BUDGET)
    .filter(([kind, most]) => sizes[kind] > most)
    .map(
      ([kind, most]) =>
        `The first page's ${kind} is ${sizes[kind]} bytes with gzip, ${sizes[kind] - most} over budget.`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const dist = new URL('../dist/', import.meta.url);
  const size = async (file) => gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length;
  const files = firstFiles(JSON.parse(await readFile(new URL('.vite/manifest.json', dist))));
  const sizes = {};
  for (const kind of Object.keys(BUDGET)) {
    sizes[kind] = 0;
    for (const file of files[kind]) sizes[kind] += await size(file);
  }
  const lines = excesses(sizes);
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}
