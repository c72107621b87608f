import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

export const large = (bytes: number) => ({ name: 'large.png', mimeType: 'image/png', buffer: noise(bytes) });

/** A valid PNG of about this many bytes, which can't be compressed further. */
function noise(bytes: number): Buffer {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  const rows = randomBytes(side * (side * 3 + 1));
  // Each row begins with its filter type; 0 means none.
  for (let at = 0; at < rows.length; at += side * 3 + 1) rows[at] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
