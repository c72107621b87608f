import { defineConfig } from '@playwright/test';

// Runs against a real `serasi up`; `cargo xtask test e2e` starts one and sets BASE_URL.
export default defineConfig({
  testDir: 'e2e',
  // These need compose.yaml.
  testIgnore: process.env.MAIL_SERVER_URL ? [] : 'containers.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: {
    timeout: 10_000,
    // Chromium versions smooth fonts differently; anything that moves changes more pixels than this.
    toHaveScreenshot: { maxDiffPixelRatio: 0.02 },
  },
  // One set for all systems: the pages bring their fonts.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  reporter: 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:8000',
    // The certificate of containers.spec.ts is self-signed.
    ignoreHTTPSErrors: Boolean(process.env.MAIL_SERVER_URL),
    viewport: { width: 1440, height: 900 },
    // Tests intercept requests, which a service worker would hide. The test of the offline page allows it.
    serviceWorkers: 'block',
    // Nothing waits for animations. A test about motion sets its own preference.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording is slow. To debug a failing test: `npx playwright test --trace retain-on-failure`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        // Like the browsers that took the pictures.
        '--disable-font-subpixel-positioning',
        '--disable-gpu',
        // All of it runs on the processor, and two tests at a time keep that busy.
        '--num-raster-threads=1',
        '--disable-threaded-animation',
        // Pages live for seconds: optimizing their code fully costs more processor time than it saves.
        '--js-flags=--no-opt --no-maglev',
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
