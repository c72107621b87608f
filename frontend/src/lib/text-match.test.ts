import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsAny, likePattern, quoted, searchedText } from './text-match';

/** What ILIKE does with a pattern, in a few lines. */
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
  it('finds exactly what contains the text', () => {
    fc.assert(
      fc.property(text, text, text, (before, looked, after) => {
        expect(ilike(before + looked.toUpperCase() + after, likePattern(looked))).toBe(true);
        expect(ilike(before, likePattern(looked))).toBe(before.toLowerCase().includes(looked.toLowerCase()));
      }),
    );
  });

  it('takes an asterisk as any one character', () => {
    expect(likePattern('a*b')).toBe('%a_b%');
    expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%');
  });
});

describe('a condition', () => {
  it('asks every column', () => {
    expect(containsAny(['name', 'username'], 'batik')).toBe('name.ilike."%batik%",username.ilike."%batik%"');
  });

  it('asks for an asterisk exactly', () => {
    expect(containsAny(['name'], 'a*.b')).toBe('and(name.ilike."%a_.b%",name.imatch."a\\\\*\\\\.b")');
  });

  it('quotes what would end the value', () => {
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

it('spaces around a text and what can not be stored are not looked for', () => {
  expect(searchedText('  Aina \0')).toBe('Aina');
});
