import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type PendingFile, pendingFile } from './pending';
import { createPictures } from './store';
import { uploadPictures } from './upload';

const refused = new Set<string>();
const removed: string[] = [];
/** Called when an upload starts. */
let onUpload = () => {};
vi.mock('@/lib/storage', () => ({
  storage: (onProgress: (share: number) => void, signal?: AbortSignal) => ({
    from: () => ({
      upload: async (path: string, file: File) => {
        onProgress(0.5);
        onUpload();
        if (signal?.aborted) return { error: signal.reason };
        return { error: refused.has(file.name) ? new Error('no room') : null, path };
      },
      remove: async (paths: string[]) => removed.push(...paths),
      getPublicUrl: (path: string) => ({ data: { publicUrl: `/${path}` } }),
    }),
  }),
}));

const file = (name: string): PendingFile => pendingFile(new File(['x'], name, { type: 'image/png' }), name);
const make = () => createPictures(['cover'], 3);
const stored = { slots: { cover: '/old' }, photos: ['/1', '/2'] };

describe('the pictures of a form', () => {
  beforeEach(() => refused.clear());

  it('are unchanged again after a change is undone', () => {
    const store = make();
    const { load, movePhoto, removePhoto, insertPhoto } = store.getState();
    load(stored);
    movePhoto(0, 1);
    expect(store.getState().photos).toEqual([{ stored: '/2' }, { stored: '/1' }]);
    expect(store.getState().changed).toBe(true);
    movePhoto(1, 0);
    expect(store.getState().changed).toBe(false);
    removePhoto(0);
    expect(store.getState().changed).toBe(true);
    insertPhoto(0, { stored: '/1' });
    expect(store.getState().changed).toBe(false);
  });

  it('are replaced at their current position, or not at all if removed', () => {
    const store = make();
    const { load, removePhoto, replacePhoto } = store.getState();
    load(stored);
    const second = store.getState().photos[1] ?? { stored: 'none' };
    const other = file('other.png');
    removePhoto(0);
    replacePhoto(second, other);
    expect(store.getState().photos).toEqual([other]);
    replacePhoto(second, file('late.png'));
    expect(store.getState().photos).toEqual([other]);
  });

  it('accept as many files as there is room for', () => {
    const store = make();
    store.getState().load(stored);
    const [first, second] = [file('a.png'), file('b.png')];
    expect(store.getState().addPhotos([first, second])).toBe(false);
    expect(store.getState().photos).toEqual([...stored.photos.map((url) => ({ stored: url })), first]);
    expect(store.getState().addPhotos([second])).toBe(false);
    expect(store.getState().photos).toHaveLength(3);
  });

  it('refuse to undo a removal whose place was taken', () => {
    const store = make();
    const { load, addPhotos, removePhoto, insertPhoto } = store.getState();
    load(stored);
    addPhotos([file('a.png')]);
    const gone = store.getState().photos[0] ?? { stored: 'none' };
    removePhoto(0);
    addPhotos([file('b.png')]);
    expect(insertPhoto(0, gone)).toBe(false);
    expect(store.getState().photos).toHaveLength(3);
    removePhoto(2);
    expect(insertPhoto(0, gone)).toBe(true);
    expect(store.getState().photos[0]).toBe(gone);
  });

  it('keep the old cover and the failed photo if the upload fails', async () => {
    const store = make();
    const { load, choose, addPhotos, settle, fail, sent } = store.getState();
    load(stored);
    refused.add('cover.png').add('photo.png');
    choose('cover', file('cover.png'));
    addPhotos([file('photo.png')]);
    const failures: string[] = [];
    const { slots, photos } = store.getState();
    const result = await uploadPictures({
      userId: 'me',
      slots,
      photos,
      kinds: { cover: 'cover', photo: 'content' },
      onProgress: sent,
      onFailed: (kind, { id }) => {
        failures.push(kind);
        fail(id);
      },
    });
    expect(failures).toEqual(['cover', 'content']);
    expect(result).toEqual(stored);
    settle(result);
    const now = store.getState();
    expect(now.slots.cover).toEqual({ stored: '/old' });
    expect(now.photos).toHaveLength(3);
    expect(now.failed).toHaveLength(1);
    expect(now.changed).toBe(true);
  });

  it('upload a picture once, however often the form is saved', async () => {
    const chosen = file('a.png');
    const progress: number[] = [];
    const input = {
      userId: 'me',
      slots: { cover: { stored: null, pending: chosen } },
      photos: [],
      kinds: { cover: 'cover', photo: 'content' },
      onFailed: () => {},
      onProgress: (_id: string, share: number) => void progress.push(share),
    };
    const first = await uploadPictures<'cover'>(input);
    expect(first.slots.cover).toMatch(/^\/me\/cover-\d+\.png$/);
    expect(await uploadPictures<'cover'>(input)).toEqual(first);
    expect(progress).toEqual([0, 0.5]);
  });

  it('a canceled upload leaves nothing in the storage, and the draft as it was', async () => {
    const store = make();
    store.getState().load(stored);
    store.getState().choose('cover', file('new.png'));
    store.getState().addPhotos([file('photo.png')]);
    const { slots, photos } = store.getState();
    const controller = new AbortController();
    let started = 0;
    onUpload = () => {
      started += 1;
      if (started === 2) controller.abort();
    };
    const onFailed = vi.fn();
    const input = { userId: 'me', slots, photos, kinds: { cover: 'cover', photo: 'content' }, onFailed };
    await expect(uploadPictures({ ...input, signal: controller.signal })).rejects.toThrow();
    onUpload = () => {};
    expect(removed).toEqual([expect.stringMatching(/^me\/cover-/), expect.stringMatching(/^me\/content-/)]);
    expect(onFailed).not.toHaveBeenCalled();
    expect(store.getState().slots.cover.pending).toBeDefined();
    // The next save uploads both again.
    const saved = await uploadPictures(input);
    expect(saved.slots.cover).toMatch(/^\/me\/cover-/);
    expect(saved.photos).toHaveLength(3);
  });
});
