import { expect, it } from 'vitest';
import { excesses, firstFiles } from './budget.mjs';

it('counts the entry, what it imports at any depth, and the start script, each once', () => {
  const manifest = {
    'index.html': { file: 'index.js', css: ['index.css'], imports: ['_a', '_b'], dynamicImports: ['later'] },
    _a: { file: 'a.js', css: ['index.css', 'a.css'], imports: ['_b'] },
    _b: { file: 'b.js', imports: ['index.html'] },
    later: { file: 'later.js', css: ['later.css'] },
  };
  expect(firstFiles(manifest)).toEqual({
    script: ['start.js', 'index.js', 'a.js', 'b.js'],
    CSS: ['index.css', 'a.css'],
  });
});

it('says by how much a budget is exceeded, and nothing within it', () => {
  expect(excesses({ script: 150_000, CSS: 20_000 })).toEqual([]);
  expect(excesses({ script: 150_001, CSS: 20_500 })).toEqual([
    "The first page's script is 150001 bytes with gzip, 1 over budget.",
    "The first page's CSS is 20500 bytes with gzip, 500 over budget.",
  ]);
});
