import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { licencesPlugin } from './scripts/licences.ts';

// `serasi up` puts the key into index.html when it serves the built page; the dev server does the same here.
const anonKey = (): Plugin => ({
  name: 'serasi-anon-key',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('%ANON_KEY%', process.env.ANON_KEY ?? ''),
});

const api = process.env.API_URL ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react(), tailwindcss(), anonKey(), licencesPlugin(import.meta.dirname)],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The content security policy allows no data: URL for scripts and fonts, so nothing is inlined.
  build: { assetsInlineLimit: 0, target: 'es2022', modulePreload: { polyfill: false } },
  server: {
    proxy: Object.fromEntries(['/rest', '/auth/v1', '/storage', '/functions', '/dev/mail'].map((path) => [path, api])),
  },
  test: {
    environment: 'happy-dom',
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
});
