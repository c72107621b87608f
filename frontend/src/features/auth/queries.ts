import { rest } from '@/lib/supabase';

export const addressProvedQuery = (userId: string) => ({
  queryKey: ['address-proved', userId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data, error } = await rest().rpc('address_proved', {}, { get: true }).abortSignal(signal);
    if (error) throw error;
    return data;
  },
});
