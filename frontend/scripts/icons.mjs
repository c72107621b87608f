// Draws the icons of the installed app from the brand mark: `node scripts/icons.mjs`. The results are committed.
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';

const GREEN = '#0F4D3F';
const favicon = await readFile(new URL('../public/favicon.svg', import.meta.url), 'utf8');
// Systems cut maskable icons to their own shape and guarantee only the inner 80 percent; iOS rounds the corners itself.
const mark = favicon.replace(/<rect.*?\/>/, '');
const full = (scale) => `<div style="position:absolute;inset:0;background:${GREEN}"></div>
  <div style="position:absolute;inset:0;transform:scale(${scale})">${mark}</div>`;

const ICONS = [
  ['icon-192', 192, favicon],
  ['icon-512', 512, favicon],
  ['maskable-512', 512, full(0.84)],
  ['apple-touch-icon', 180, full(1)],
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
for (const [name, size, content] of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${content}`);
  const image = await page.screenshot({ omitBackground: true });
  await writeFile(new URL(`../public/icons/${name}.png`, import.meta.url), image);
  await page.close();
}
await browser.close();
