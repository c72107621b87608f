import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { AddressForm } from '@/lib/address';
import { pauseAfter, useHeldBack } from './use-held-back';

const same = (one: unknown, other: unknown) => String(one ?? '') === String(other ?? '');

/**
 * The filters as the controls show them, and those of the address, which are asked for: what is typed or slid
 * gets there after a pause. (Every link of a page is drawn again when the address changes.)
 */
export function useAddressFilters<Filters extends object>(form: AddressForm<Filters>) {
  const [params, setParams] = useSearchParams();
  const asked = useMemo(() => form.read(params), [form, params]);
  const { held, hold, settle, drop } = useHeldBack<Partial<Filters>>(write);
  const filters = useMemo(() => ({ ...asked, ...held }), [asked, held]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever else changed the address comes later than the typing
  useEffect(drop, [params]);

  /** Back undoes a filter, not one letter of it. */
  function write(part: Partial<Filters>) {
    const gradual = Object.keys(part).every((key) => form.gradual.includes(key as keyof Filters));
    const goesOn = form.gradual.some((key) => key in part && !same(asked[key], form.none[key]));
    setParams((now) => form.write({ ...form.read(now), ...part }, now), { replace: gradual && goesOn });
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
    setParams((now) => form.write(next, now));
  }
  return { filters, asked, change, set, settle };
}
