// The code blocks of a document, so that tests can run them.
import { readFileSync } from 'node:fs';

export interface Block {
  /** The heading above it, and its number below that heading: `Query 2`. */
  name: string;
  language: string;
  code: string;
}

export function blocksOf(file: string): Block[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const blocks: Block[] = [];
  let heading = '';
  let block: Block | undefined;
  for (const line of text.split('\n')) {
    const fence = /^```(\w*)/.exec(line);
    if (fence && block) {
      blocks.push(block);
      block = undefined;
    } else if (fence) {
      const number = blocks.filter(({ name }) => name.startsWith(`${heading} `)).length + 1;
      block = { name: `${heading} ${number}`, language: fence[1] ?? '', code: '' };
    } else if (block) {
      block.code += `${line}\n`;
    } else if (line.startsWith('#')) {
      heading = line.replace(/^#+ /, '');
    }
  }
  return blocks;
}
