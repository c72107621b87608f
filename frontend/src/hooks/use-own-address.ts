import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Calls `onForeign` when the URL changes to one that this component did not write. Rendering takes time: a key pressed
 * after its own URL change, but before the effects ran, must not be lost.
 */
export function useOwnAddress(onForeign: () => void) {
  const { pathname, search } = useLocation();
  const own = useRef<string>(undefined);
  useEffect(() => {
    if (own.current !== pathname + search) onForeign();
    own.current = undefined;
  }, [pathname, search, onForeign]);
  /** Call with the parameters about to be written. */
  return useCallback(
    (params: URLSearchParams) => {
      own.current = pathname + (params.size > 0 ? `?${params}` : '');
      return params;
    },
    [pathname],
  );
}
