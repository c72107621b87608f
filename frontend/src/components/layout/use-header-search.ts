import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { pauseAfter, useDebounced } from '@/hooks/use-debounced';
import { useOwnAddress } from '@/hooks/use-own-address';
import { paths } from '@/lib/paths';

/** Pages that filter their own list by the search text. */
const FILTERING: string[] = [
  paths.search,
  paths.searchInfluencers,
  paths.searchAgencies,
  paths.searchVendors,
  paths.explore,
];

/** Typing filters the current page if it supports that; elsewhere, Enter goes to the search page. */
export function useHeaderSearch() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const filters = FILTERING.includes(pathname);
  const [{ text, page }, setTyped] = useState({ text: '', page: pathname });
  // Cleared during render rather than in an effect, so that a letter typed in between isn't lost.
  if (page !== pathname) setTyped({ text: '', page: pathname });
  const asked = params.get('q') ?? '';
  const reporting = useRef(false);
  const { held, hold, settle, drop } = useDebounced(report);
  // Pending text belongs to the previous page, so it is dropped.
  const own = useOwnAddress(drop);

  function report(q: string) {
    const next = new URLSearchParams(params);
    if (q) next.set('q', q);
    else next.delete('q');
    reporting.current = true;
    // The first report adds a history entry and later ones replace it, so that Back undoes the whole search.
    setParams(own(next), { replace: asked !== '' });
  }
  function type(value: string) {
    if (!filters) return setTyped({ text: value, page: pathname });
    if (value) return hold(value, pauseAfter(value));
    drop();
    report('');
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (filters) settle();
    else if (text.trim()) navigate(paths.searchFor(text.trim()));
  }
  return {
    filters,
    shown: filters ? (held ?? asked) : text,
    type,
    submit,
    /** Whether the last URL change came from typing here. */
    reported: () => {
      const was = reporting.current;
      reporting.current = false;
      return was;
    },
  };
}

export type HeaderSearch = ReturnType<typeof useHeaderSearch>;
