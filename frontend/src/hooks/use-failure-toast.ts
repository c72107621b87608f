import { useEffect } from 'react';
import { toast } from '@/lib/toast';

/** Shows a toast for a failed load. Components that report the same message share one toast. */
export function useFailureToast(failed: boolean, message: string) {
  useEffect(() => {
    if (failed) toast.error('Error', { description: message, id: message });
  }, [failed, message]);
}
