import { expect, it } from 'vitest';
import { oneLine } from './one-line';

it.each([
  'Aina & Co. (KL)',
  'a  b',
  'Größe',
  '愛子',
  'می\u200Cخ',
  '\u{1F469}\u200D\u{1F4BB}',
  '\u2764\uFE0F',
  '1\uFE0F\u20E3',
])('keeps %j', (text) => expect(oneLine(text)).toBe(text));

it.each([
  ['Aina\r\nTan', 'Aina Tan'],
  ['RM\u00A0500', 'RM 500'],
  ['Aina\u202E\u200B Tan\uFEFF', 'Aina Tan'],
  ['Ai\u200Dna\u200C', 'Aina'],
  ['\uFE0FAi\uFE0Fna', 'Aina'],
  ['A\u200D\uFE0Fina', 'Aina'],
  ['A\uFE0F\u200Dé', 'Aé'],
  ['Aina\u{E0041}', 'Aina'],
  ['\u3164\u2800\u200B', ''],
])('cleans %j', (text, clean) => expect(oneLine(text)).toBe(clean));
