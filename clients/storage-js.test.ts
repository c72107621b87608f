// Pictures through the unmodified storage-js client, uploaded as Node.js buffers: the client then declares them as text.

import { readFile } from 'node:fs/promises';
import { StorageClient } from '@supabase/storage-js';
import { expect, test } from 'vitest';
import { bearer } from './auth-js/clients';
import { baseURL } from './server';

const storage = new StorageClient(`${baseURL}/storage/v1`, bearer(process.env.SERVICE_ROLE_KEY));
const picture = await readFile(new URL('../frontend/e2e/fixtures/work.jpg', import.meta.url));

/** A private bucket with the picture under `photo`. */
async function withPicture() {
  const bucket = `pictures-${crypto.randomUUID()}`;
  expect((await storage.createBucket(bucket, { public: false })).error).toBeNull();
  const files = storage.from(bucket);
  expect((await files.upload('photo', picture)).error).toBeNull();
  const { data } = await files.info('photo');
  expect(data?.contentType).toMatch(/^text\/plain/);
  return { bucket, files };
}

test('a signed transformed picture has the type of its bytes, and says what was done', async () => {
  const { files } = await withPicture();
  const { data, error } = await files.createSignedUrl('photo', 60000, {
    transform: { width: 200, height: 200, quality: 60 },
  });
  expect(error).toBeNull();
  const response = await fetch(data?.signedUrl ?? '');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(response.headers.get('x-transformations')).toBe('height:200,width:200,resizing_type:fill,quality:60');
  const length = Number(response.headers.get('content-length'));
  expect(length).toBeGreaterThan(0);
  expect((await response.arrayBuffer()).byteLength).toBe(length);
});

test('a transformed download keeps the original format, or becomes WebP if the client accepts it', async () => {
  const { bucket, files } = await withPicture();
  const transform = { width: 200, height: 200 };
  const original = await files.download('photo', { transform: { ...transform, format: 'origin' } });
  expect(original.error).toBeNull();
  expect(original.data?.type).toBe('image/jpeg');
  const accepting = new StorageClient(`${baseURL}/storage/v1`, {
    ...bearer(process.env.SERVICE_ROLE_KEY),
    Accept: 'image/webp',
  });
  const webp = await accepting.from(bucket).download('photo', { transform });
  expect(webp.data?.type).toBe('image/webp');
});

test('a listing is read in pages to its end', async () => {
  const { files } = await withPicture();
  for (const key of ['a/1', 'a/2', 'b/1', 'c']) {
    expect((await files.upload(key, 'x')).error).toBeNull();
  }
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await files.listV2({ limit: 2, with_delimiter: true, cursor });
    expect(error).toBeNull();
    names.push(...(data?.folders ?? []).map(({ name }) => name), ...(data?.objects ?? []).map(({ name }) => name));
    cursor = data?.hasNext ? data.nextCursor : undefined;
  } while (cursor);
  expect(names.sort()).toEqual(['a/', 'b/', 'c', 'photo']);
});
