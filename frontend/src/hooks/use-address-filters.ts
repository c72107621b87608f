import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { AddressForm } from '@/lib/address';
import { pauseAfter, useDebounced } from './use-debounced';
import { useOwnAddress } from './use-own-address';

const same = (one: unknown, other: unknown) => String(one ?? '') === String(other ?? '');

/**
 * Returns the filters as the controls show them, and those in the URL, which are queried. Typed or dragged values reach
 * the URL after a pause, because every link on the page re-renders when the URL changes.
 */
export function useAddressFilters<Filters extends object>(form: AddressForm<Filters>) {
  const [params, setParams] = useSearchParams();
  const asked = useMemo(() => form.read(params), [form, params]);
  const { held, hold, settle, drop } = useDebounced<Partial<Filters>>(write);
  const filters = useMemo(() => ({ ...asked, ...held }), [asked, held]);
  // Any other change of the URL overrides pending text.
  const own = useOwnAddress(drop);

  /** Replaces the history entry while typing, so that Back undoes the whole filter. */
  function write(part: Partial<Filters>) {
    const gradual = Object.keys(part).every((key) => form.gradual.includes(key as keyof Filters));
    const goesOn = form.gradual.some((key) => key in part && !same(asked[key], form.none[key]));
    setParams((now) => own(form.write({ ...form.read(now), ...part }, now)), { replace: gradual && goesOn });
  }
  function change(part: Partial<Filters>) {
    const next = { ...held, ...part };
    const keys = Object.keys(part) as (keyof Filters)[];
    const waits = keys.every((key) => form.gradual.includes(key) && !same(part[key], form.none[key]));
    if (waits) return hold(next, Math.max(...keys.map((key) => pauseAfter(part[key]))));
    drop();
    write(next);
  }
  function set(next: Filters) {
    drop();
    setParams((now) => own(form.write(next, now)));
  }
  /** Changes another parameter of the URL; pending text is written too. */
  function goTo(part: (now: URLSearchParams) => URLSearchParams) {
    drop();
    setParams((now) => own(part(form.write({ ...form.read(now), ...held }, now))));
  }
  return { filters, asked, change, set, settle, goTo };
}
