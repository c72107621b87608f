// Runs after the build: prerenders each page's first view and records its API requests for the server to send with the
// document (see src/shell.tsx). The lists are stored beside Vite's manifest, which is not served.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

process.env.NODE_ENV = 'production';
const outDir = fileURLToPath(new URL('../node_modules/.shell', import.meta.url));

await build({ logLevel: 'warn', build: { ssr: 'src/shell.tsx', outDir, emptyOutDir: true, copyPublicDir: false } });
const { drawnPages } = await import(`${outDir}/shell.js`);
const drawn = Object.entries(await drawnPages());
const write = (name, parts) =>
  writeFile(new URL(`../dist/.vite/${name}.json`, import.meta.url), JSON.stringify(Object.fromEntries(parts)));
await write(
  'shells',
  drawn.map(([path, { html }]) => [path, html]),
);
await write(
  'first-requests',
  drawn.filter(([, { requests }]) => requests.length > 0).map(([path, { requests }]) => [path, requests]),
);
await rm(outDir, { recursive: true });
