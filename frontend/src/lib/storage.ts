// Apart from the other clients: only who uploads needs it.
import { StorageClient } from '@supabase/storage-js';
import { apiUrl } from './env';
import { authorized } from './supabase';
import { fetchTelling } from './upload-fetch';

/** For one upload, whose progress is told as the share that has gone. */
export const storage = (tell: (share: number) => void) =>
  new StorageClient(apiUrl('/storage/v1'), {}, authorized(fetchTelling(tell)));
