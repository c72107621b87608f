import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/hooks/use-debounced';
import { filtersFrom, paramsFrom } from './address';
import { type Filters, NO_FILTERS } from './filters';

/** What changes many times in a row: it waits for a pause. */
const GRADUAL = ['q', 'location', 'followers', 'age'] as const;

const PAUSE = 300;
/** One or two letters help no index, and mostly begin a longer word; names like Ng and Li are found all the same. */
const LONG_PAUSE = 700;
const SHORT = 3;

const isShort = (text: string) => text.trim().length > 0 && text.trim().length < SHORT;

const sameGradual = (one: Filters, other: Filters) =>
  GRADUAL.every((key) => String(one[key] ?? '') === String(other[key] ?? ''));

/** The filters that are asked for: as chosen, but while something is being typed or slid still the ones before. */
export function useSettled(filters: Filters): Filters {
  const pause = isShort(filters.q) || isShort(filters.location) ? LONG_PAUSE : PAUSE;
  const settled = useDebounced(filters, pause);
  return sameGradual(filters, settled) || sameGradual(filters, NO_FILTERS) ? filters : settled;
}

/** The address holds the filters. Back undoes one of them, not one letter of it. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersFrom(params), [params]);
  const asked = useSettled(filters);

  const set = (next: Filters) => setParams((now) => paramsFrom(next, now));
  const change = (part: Partial<Filters>) => {
    const goesOn = GRADUAL.some((key) => key in part && String(filters[key] ?? '') !== String(NO_FILTERS[key] ?? ''));
    setParams((now) => paramsFrom({ ...filtersFrom(now), ...part }, now), { replace: goesOn });
  };
  return { filters, asked, set, change };
}
