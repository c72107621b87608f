import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests of the API with Supabase's clients against a real `serasi up`, without a browser. `cargo xtask test` starts the
// server and sets BASE_URL.
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('../frontend/src', import.meta.url)) } },
  test: {
    environment: 'node',
    include: ['**/*.test.ts'],
    globalSetup: ['../frontend/e2e/global-setup.ts'],
    // Tests spend more time waiting for the server than computing.
    maxWorkers: 4,
    // No test changes a module: workers load each only once.
    isolate: false,
    // Vitest sets BASE_URL itself, to the path of the built pages.
    env: { SERVER_URL: process.env.BASE_URL ?? 'http://127.0.0.1:8000' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
