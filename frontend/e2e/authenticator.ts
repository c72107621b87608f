// An authenticator app: time-based one-time passwords (RFC 6238).
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** The code of the current 30-second step, or of a later one. The server accepts one step before and after it. */
export function codeOf(secret: string, steps = 0, now = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS) + steps));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A code that isn't valid at any time near the current one. */
export function wrongCode(secret: string): string {
  const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => codeOf(secret, steps)));
  return (
    ['000000', '000001', '000002', '000003', '000004', '000005', '000006', '000007'].find((code) => !right.has(code)) ??
    ''
  );
}
