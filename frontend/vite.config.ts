import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { licencesPlugin } from './scripts/licences.ts';
import { pagesAheadPlugin } from './scripts/pages-ahead.ts';

// `serasi up` puts the key into index.html when it serves the built page; the dev server does the same here.
const anonKey = (): Plugin => ({
  name: 'serasi-anon-key',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('%ANON_KEY%', process.env.ANON_KEY ?? ''),
});

// public/start.js runs the application when there is something to see.
const startedLater = (): Plugin => ({
  name: 'serasi-started-later',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        /<script type="module" crossorigin src="(.*?)"><\/script>/,
        '<link rel="modulepreload" crossorigin fetchpriority="low" data-application href="$1">',
      ),
  },
});

// On a slow line each file costs a round trip and a head of its own: what every page needs is one file, and so are the
// small things that pages share, the controls of forms, and the lists. A group takes along what its modules import.
const CHUNKS = [
  { name: 'first', tags: ['$initial' as const], priority: 4 },
  { name: 'small', test: /lucide-react|src\/(lib|hooks|components\/[^/]+\.tsx?)/, minShareCount: 3, priority: 2 },
  {
    name: 'services',
    test: /@supabase\/(storage|functions)-js|src\/lib\/(storage|functions|upload-fetch)\.ts/,
    priority: 3,
  },
  { name: 'controls', test: /src\/components\/ui\//, priority: 1 },
  {
    name: 'lists',
    test: /src\/(components\/(endless-list|search-box)|features\/search\/(?!components\/(filter|advanced|explore)))/,
  },
];

const api = process.env.API_URL ?? 'http://127.0.0.1:8000';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), anonKey(), startedLater(), licencesPlugin(import.meta.dirname), pagesAheadPlugin()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The content security policy allows no data: URL for scripts and fonts, so nothing is inlined.
  build: {
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Tells the server which files a page will ask for, so that it can say so before any script has run.
    manifest: true,
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    proxy: Object.fromEntries(['/rest', '/auth/v1', '/storage', '/functions', '/dev/mail'].map((path) => [path, api])),
  },
  test: {
    environment: 'happy-dom',
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
}));
