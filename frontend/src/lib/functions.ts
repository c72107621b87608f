// In its own module: only superadmins who create admins need it.
import { FunctionsClient } from '@supabase/functions-js';
import { apiUrl } from './env';
import { authorizedFetch, once } from './supabase';

export const functions = once(() => new FunctionsClient(apiUrl('/functions/v1'), { customFetch: authorizedFetch }));
