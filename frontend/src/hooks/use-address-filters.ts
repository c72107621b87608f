import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { AddressForm } from '@/lib/address';
import { pauseAfter, useHeldBack } from './use-held-back';
import { useOwnAddress } from './use-own-address';

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
  // Whatever else changed the address comes later than the typing.
  const own = useOwnAddress(drop);

  /** Back undoes a filter, not one letter of it. */
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
  /** Another part of the address: what is being typed goes along. */
  function goTo(part: (now: URLSearchParams) => URLSearchParams) {
    drop();
    setParams((now) => own(part(form.write({ ...form.read(now), ...held }, now))));
  }
  return { filters, asked, change, set, settle, goTo };
}
