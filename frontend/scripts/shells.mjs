// After the build: what each page shows first, for the server to send along (src/shell.tsx). The list lies beside
// vite's own, where no browser asks for it.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

process.env.NODE_ENV = 'production';
const outDir = fileURLToPath(new URL('../node_modules/.shell', import.meta.url));

await build({ logLevel: 'warn', build: { ssr: 'src/shell.tsx', outDir, emptyOutDir: true, copyPublicDir: false } });
const { shells } = await import(`${outDir}/shell.js`);
await writeFile(new URL('../dist/.vite/shells.json', import.meta.url), JSON.stringify(await shells()));
await rm(outDir, { recursive: true });
