import { useCallback, useEffect, useRef } from 'react';
import { SaveButton } from './components/save-button';
import { useFavorites } from './use-favorites';

/** Renders the bookmark for the cards of a list. The function is stable until the favorites change. */
export function useSaveAction() {
  const favorites = useFavorites();
  const latest = useRef(favorites);
  useEffect(() => {
    latest.current = favorites;
  }, [favorites]);
  const { ids } = favorites;
  return useCallback(
    ({ id, name }: { id: string; name: string }) => (
      <SaveButton id={id} name={name} favorites={{ ids, toggle: (which) => latest.current.toggle(which) }} />
    ),
    [ids],
  );
}
