import { defineConfig } from '@playwright/test';

// Against a real `serasi up`: `cargo xtask test e2e` starts one and says where.
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: {
    timeout: 10_000,
    // Another Chromium smooths letters its own way; something that moved is more than this.
    toHaveScreenshot: { maxDiffPixelRatio: 0.02 },
  },
  // One set for all systems: letters are drawn with fonts that the pages bring along.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  reporter: 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:8000',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording takes its share of the cores; for one that fails: `npx playwright test --trace retain-on-failure`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
      ],
    },
  },
});
