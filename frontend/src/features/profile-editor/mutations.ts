import { storage } from '@/lib/storage';
import { rest } from '@/lib/supabase';
import { isUnsaved, type PendingFile, type Photo, type Slot } from './pictures';
import { type InfluencerRow, rowOf, type StoredPictures } from './record';
import type { ProfileForm } from './schema';

const BUCKET = 'images';

export interface SaveInput {
  userId: string;
  before: InfluencerRow | null;
  form: ProfileForm;
  cover: Slot;
  profile: Slot;
  content: Photo[];
  /** Told of each picture that could not be stored; the save goes on without it. */
  onUploadFailed: (kind: string) => void;
}

/** Pictures first, then the record: updated when there is one, else inserted. */
export async function saveProfile(input: SaveInput): Promise<InfluencerRow> {
  const pictures = await storePictures(input);
  const row = rowOf(input.form, pictures, input.before, new Date());
  const table = rest().from('influencers');
  const write = input.before
    ? table.update(row).eq('user_id', input.userId)
    : table.insert({ ...row, user_id: input.userId });
  const { data, error } = await write.select().single();
  if (error) throw error;
  return data;
}

async function storePictures({ userId, cover, profile, content, onUploadFailed }: SaveInput): Promise<StoredPictures> {
  const upload = async (file: PendingFile, kind: string, label: string) => {
    try {
      return await store(`${userId}/${label}-${Date.now()}.${file.extension}`, file.file);
    } catch {
      onUploadFailed(kind);
      return null;
    }
  };
  const slot = async ({ stored, pending }: Slot, kind: string) =>
    pending ? ((await upload(pending, kind, kind)) ?? stored) : stored;
  const photos = content.map((photo, index) =>
    isUnsaved(photo) ? upload(photo, 'content', `content-${index}`) : photo.stored,
  );
  const [coverUrl, profileUrl, ...contentUrls] = await Promise.all([
    slot(cover, 'cover'),
    slot(profile, 'profile'),
    ...photos,
  ]);
  return { cover: coverUrl, profile: profileUrl, content: contentUrls.filter((url) => url !== null) };
}

async function store(path: string, file: Blob): Promise<string> {
  const bucket = storage().from(BUCKET);
  const { error } = await bucket.upload(path, file, { upsert: true, contentType: file.type, cacheControl: '31536000' });
  if (error) throw error;
  return bucket.getPublicUrl(path).data.publicUrl;
}
