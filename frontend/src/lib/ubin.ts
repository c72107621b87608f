// The tile pattern (ubin), seeded by a record's id, so that a record always has the same one.

const PALETTES = [
  ['#0F4D3F', '#FF7A66', '#BFE3CF', '#F6B93B'],
  ['#2F57C8', '#BCD3F7', '#F6B93B', '#FFFFFF'],
  ['#FF7A66', '#FBD3C8', '#0F4D3F', '#FCE6AE'],
  ['#F6B93B', '#FCE6AE', '#E0483E', '#0F4D3F'],
  ['#BFE3CF', '#0F4D3F', '#FF7A66', '#FFFFFF'],
  ['#FBD3C8', '#E0483E', '#2F57C8', '#F6B93B'],
  ['#1E7F95', '#BFE3CF', '#F6B93B', '#FBD3C8'],
  ['#BCD3F7', '#2F57C8', '#FF7A66', '#FFFFFF'],
] as const;

const KINDS = [
  'quarter',
  'quarter2',
  'half',
  'serasi',
  'leaf',
  'leaf2',
  'disc',
  'bunga',
  'star8',
  'arcs',
  'tri',
] as const;
type Kind = (typeof KINDS)[number];

export interface Tile {
  kind: Kind;
  x: number;
  y: number;
  turns: number;
  ground: string;
  figure: string;
  accent: string;
}

/** A small deterministic generator (mulberry32 seeded by an FNV hash). Not for secrets. */
function generator(seed: string): () => number {
  let hash = 2166136261;
  for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return () => {
    hash = (hash + 0x6d2b79f5) | 0;
    let mixed = Math.imul(hash ^ (hash >>> 15), hash | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

export type Palette = readonly [string, string, string, string];

/** The tiles of a pattern of `columns` by `rows`. */
export function ubin(seed: string, columns: number, rows: number, chosen?: Palette): Tile[] {
  const random = generator(seed);
  const drawn = pick(PALETTES, random);
  const palette = chosen ?? drawn;
  const tiles: Tile[] = [];
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const kind = pick(KINDS, random);
      const ground = Math.floor(random() * 4);
      const figure = (ground + 1 + Math.floor(random() * 3)) % 4;
      let accent = (figure + 1 + Math.floor(random() * 2)) % 4;
      if (accent === ground) accent = (accent + 1) % 4;
      const color = (index: number) => palette[index] ?? palette[0];
      const turns = Math.floor(random() * 4);
      tiles.push({ kind, x, y, turns, ground: color(ground), figure: color(figure), accent: color(accent) });
    }
  }
  return tiles;
}
