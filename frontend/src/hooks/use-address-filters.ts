import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { AddressForm } from '@/lib/address';
import { useDebounced } from './use-debounced';

const PAUSE = 300;
/** One or two letters help no index, and mostly begin a longer word; names like Ng and Li are found all the same. */
const LONG_PAUSE = 700;
const SHORT = 3;

const isShort = (value: unknown) => typeof value === 'string' && value.trim().length > 0 && value.trim().length < SHORT;

const same = (one: unknown, other: unknown) => String(one ?? '') === String(other ?? '');

/** The filters of the address, and those to ask for: while something is typed or slid, still the ones before. */
export function useAddressFilters<Filters extends object>(form: AddressForm<Filters>) {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => form.read(params), [form, params]);
  const asked = useSettled(form, filters);

  const set = (next: Filters) => setParams((now) => form.write(next, now));
  /** Back undoes a filter, not one letter of it. */
  const change = (part: Partial<Filters>) => {
    const goesOn = form.gradual.some((key) => key in part && !same(filters[key], form.none[key]));
    setParams((now) => form.write({ ...form.read(now), ...part }, now), { replace: goesOn });
  };
  return { filters, asked, set, change };
}

function useSettled<Filters extends object>({ gradual, none }: AddressForm<Filters>, filters: Filters): Filters {
  const pause = gradual.some((key) => isShort(filters[key])) ? LONG_PAUSE : PAUSE;
  const settled = useDebounced(filters, pause);
  const standsStill = (other: Filters) => gradual.every((key) => same(filters[key], other[key]));
  return standsStill(settled) || standsStill(none) ? filters : settled;
}
