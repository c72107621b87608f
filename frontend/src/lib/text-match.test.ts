import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsAny, likePattern, quoted, searchedText } from './text-match';

/** A minimal ILIKE. */
function ilike(value: string, pattern: string): boolean {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at] ?? '';
    if (letter === '%') source += '[^]*';
    else if (letter === '_') source += '[^]';
    else source += (letter === '\\' ? (pattern[++at] ?? '') : letter).replace(/[\\^$.|?*+(){}[\]/-]/, '\\$&');
  }
  return new RegExp(`^${source}$`, 'i').test(value);
}

const text = fc.string({ unit: fc.constantFrom('a', 'B', 'k', '%', '_', '\\', '"', "'", ',', '(', ')', '.', ' ') });

describe('a pattern', () => {
  it('matches exactly the values that contain the text', () => {
    fc.assert(
      fc.property(text, text, text, (before, looked, after) => {
        expect(ilike(before + looked.toUpperCase() + after, likePattern(looked))).toBe(true);
        expect(ilike(before, likePattern(looked))).toBe(before.toLowerCase().includes(looked.toLowerCase()));
      }),
    );
  });

  it('replaces an asterisk by a single-character wildcard', () => {
    expect(likePattern('a*b')).toBe('%a_b%');
    expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%');
  });
});

describe('a condition', () => {
  it('searches every column', () => {
    expect(containsAny(['name', 'username'], 'batik')).toBe('name.ilike."%batik%",username.ilike."%batik%"');
  });

  it('matches an asterisk exactly', () => {
    expect(containsAny(['name'], 'a*.b')).toBe('and(name.ilike."%a_.b%",name.imatch."a\\\\*\\\\.b")');
  });

  it('escapes characters that would end the value', () => {
    expect(quoted('a"b\\c,(d)')).toBe('"a\\"b\\\\c,(d)"');
    fc.assert(
      fc.property(fc.string(), (value) => {
        const inside = quoted(value).slice(1, -1);
        expect(inside.replace(/\\(.)/gs, '$1')).toBe(value);
        expect(inside.replace(/\\./gs, '')).not.toContain('"');
      }),
    );
  });
});

it("strips surrounding spaces and characters that can't be stored", () => {
  expect(searchedText('  Aina \0')).toBe('Aina');
});
