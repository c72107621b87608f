import { useCallback, useEffect, useRef } from 'react';
import { SaveButton } from './components/save-button';
import { useFavourites } from './use-favourites';

/** Renders the bookmark for the cards of a list. The function is stable until the favorites change. */
export function useSaveAction() {
  const favourites = useFavourites();
  const latest = useRef(favourites);
  useEffect(() => {
    latest.current = favourites;
  }, [favourites]);
  const { ids } = favourites;
  return useCallback(
    ({ id, name }: { id: string; name: string }) => (
      <SaveButton id={id} name={name} favourites={{ ids, toggle: (which) => latest.current.toggle(which) }} />
    ),
    [ids],
  );
}
