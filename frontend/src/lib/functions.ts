// Apart from the other clients: only who makes admins needs it.
import { FunctionsClient } from '@supabase/functions-js';
import { apiUrl } from './env';
import { authorizedFetch, once } from './supabase';

export const functions = once(() => new FunctionsClient(apiUrl('/functions/v1'), { customFetch: authorizedFetch }));
