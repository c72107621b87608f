import { useEffect } from 'react';
import { toast } from 'sonner';

/** Says once that something could not be loaded; two parts of a page that miss the same thing say it together. */
export function useFailureToast(failed: boolean, message: string) {
  useEffect(() => {
    if (failed) toast.error('Error', { description: message, id: message });
  }, [failed, message]);
}
