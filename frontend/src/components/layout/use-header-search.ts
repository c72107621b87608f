import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { pauseAfter, useHeldBack } from '@/hooks/use-held-back';
import { useOwnAddress } from '@/hooks/use-own-address';
import { paths } from '@/lib/paths';

/** Pages that can look for a text by themselves. */
const FILTERING: string[] = [
  paths.search,
  paths.searchInfluencers,
  paths.searchAgencies,
  paths.searchVendors,
  paths.explore,
];

/** Typing filters the page that is open, if it can; Enter elsewhere goes to the search. */
export function useHeaderSearch() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const filters = FILTERING.includes(pathname);
  const [{ text, page }, setTyped] = useState({ text: '', page: pathname });
  // Emptied while the new page is drawn, not after: what is typed right then is not to be lost.
  if (page !== pathname) setTyped({ text: '', page: pathname });
  const asked = params.get('q') ?? '';
  const reporting = useRef(false);
  const { held, hold, settle, drop } = useHeldBack(report);
  // What was typed is for the page that was open.
  const own = useOwnAddress(drop);

  function report(q: string) {
    const next = new URLSearchParams(params);
    if (q) next.set('q', q);
    else next.delete('q');
    reporting.current = true;
    // The first report makes an entry of the history: Back undoes the search, not its last letter.
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
    /** Whether the address that came last is what was typed here. */
    reported: () => {
      const was = reporting.current;
      reporting.current = false;
      return was;
    },
  };
}

export type HeaderSearch = ReturnType<typeof useHeaderSearch>;
