// Apart from the other clients: only who uploads needs it.
import { StorageClient } from '@supabase/storage-js';
import { apiUrl } from './env';
import { authorizedFetch, once } from './supabase';

export const storage = once(() => new StorageClient(apiUrl('/storage/v1'), {}, authorizedFetch));
