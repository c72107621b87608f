// In its own module: only uploads need it.
import { StorageClient } from '@supabase/storage-js';
import { apiUrl } from './env';
import { authorized } from './supabase';
import { fetchWithProgress } from './upload-fetch';

/** A client for one upload. `onProgress` gets the uploaded share of the file, from 0 to 1; `signal` cancels it. */
export const storage = (onProgress: (share: number) => void, signal?: AbortSignal) =>
  new StorageClient(apiUrl('/storage/v1'), {}, authorized(fetchWithProgress(onProgress, signal)));
