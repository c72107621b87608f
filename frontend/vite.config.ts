import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { leanLibrariesPlugin } from './scripts/lean-libraries.ts';
import { licensesPlugin } from './scripts/licenses.ts';
import { pagesAheadPlugin } from './scripts/pages-ahead.ts';

// `serasi up` inserts the key into index.html when it serves the built page; the dev server does the same here.
const anonKey = (): Plugin => ({
  name: 'serasi-anon-key',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('%ANON_KEY%', process.env.ANON_KEY ?? ''),
});

// public/start.js starts the application after the first paint.
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

// On a slow connection each extra file costs a round trip and headers. So the modules that every page needs are one
// file, and so are the small modules that pages share, the form controls, and the lists. A group includes its modules'
// imports.
const CHUNKS = [
  { name: 'first', tags: ['$initial' as const], priority: 4 },
  {
    name: 'small',
    test: /lucide-react|src\/(lib|hooks|components\/(ui\/(?!alert-dialog|dialog|field|input|select|switch))?[^/]+\.tsx?)/,
    minShareCount: 3,
    priority: 2,
  },
  // Or it would be in `services`, which most pages don't need.
  { name: 'tslib', test: /node_modules\/tslib/, priority: 4 },
  { name: 'toasts', test: /node_modules\/sonner|src\/components\/ui\/toaster/, priority: 3 },
  {
    name: 'services',
    test: /@supabase\/(storage|functions)-js|src\/lib\/(storage|functions|upload-fetch)\.ts/,
    priority: 3,
  },
  { name: 'controls', test: /src\/components\/ui\/(alert-dialog|dialog|field|input|select|switch)/, priority: 1 },
  {
    name: 'lists',
    test: /src\/(components\/(endless-list|search-box)|features\/search\/(?!components\/(filter|advanced|explore)))/,
  },
];

// Radix names each of its functions with `__name(f, 'f')`, which would keep the unused ones.
const TREE_SHAKING = { manualPureFunctions: ['__name'] };

const TESTS = ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,mjs}'];
/** Tests that replace a module (vi.mock). Add every such file, or it gets the modules that another test has loaded. */
const WITH_OWN_MODULES = [
  'src/components/picture-grid-offline.test.tsx',
  'src/features/pictures/components/crop-dialog.test.tsx',
  'src/features/pictures/store.test.ts',
];

const api = process.env.API_URL ?? 'http://127.0.0.1:8000';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    anonKey(),
    leanLibrariesPlugin(import.meta.dirname),
    startedLater(),
    licensesPlugin(import.meta.dirname),
    pagesAheadPlugin(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The content security policy allows no data: URL for scripts and fonts, so nothing is inlined.
  build: {
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Lets the server know which files a page needs, so that it can preload them before any script runs.
    manifest: true,
    rolldownOptions: isSsrBuild ? {} : { treeshake: TREE_SHAKING, output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    proxy: Object.fromEntries(['/rest', '/auth/v1', '/storage', '/functions', '/dev/mail'].map((path) => [path, api])),
  },
  test: {
    // React creates many objects that are soon garbage: with more room for them, it is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    environment: 'happy-dom',
    setupFiles: ['./src/testing/setup.ts'],
    restoreMocks: true,
    // Other parts of the test command keep the cores busy meanwhile.
    testTimeout: 20_000,
    // Loading the modules for each file again takes longer than the tests.
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: TESTS, exclude: WITH_OWN_MODULES } },
      { extends: true, test: { name: 'own-modules', include: WITH_OWN_MODULES } },
    ],
  },
}));
