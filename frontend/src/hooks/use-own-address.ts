import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Tells when the address becomes another one than what is written here. Drawing takes its time, and a key pressed
 * after an address of one's own, before its effects, is not to be lost.
 */
export function useOwnAddress(onForeign: () => void) {
  const { pathname, search } = useLocation();
  const own = useRef<string>(undefined);
  useEffect(() => {
    if (own.current !== pathname + search) onForeign();
    own.current = undefined;
  }, [pathname, search, onForeign]);
  /** For what is about to be written. */
  return useCallback(
    (params: URLSearchParams) => {
      own.current = pathname + (params.size > 0 ? `?${params}` : '');
      return params;
    },
    [pathname],
  );
}
