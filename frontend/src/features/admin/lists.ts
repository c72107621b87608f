// The admin area's lists, their filters, and how filters are stored in the URL.
import { type AddressForm, textFrom } from '@/lib/address';

export type Kind = 'influencer' | 'agency' | 'vendor';

export const TABLES = { influencer: 'influencers', agency: 'agencies', vendor: 'vendors' } as const;

/** The account lists. */
export const LISTS = ['pending', 'influencers', 'agencies', 'vendors'] as const;
export type List = (typeof LISTS)[number];

export const KIND_OF: Record<List, Kind> = {
  pending: 'influencer',
  influencers: 'influencer',
  agencies: 'agency',
  vendors: 'vendor',
};

export const BADGES = ['none', 'blue', 'gold', 'platinum'] as const;
export type Badge = (typeof BADGES)[number];

export const SORTS = ['newest', 'oldest', 'name'] as const;
export type Sort = (typeof SORTS)[number];

/** An empty string means no filter. */
export interface ListFilters {
  q: string;
  /** An influencer's category, or a business's type. */
  group: string;
  badge: string;
  sort: Sort;
  /** Starts at 1. */
  page: number;
}

export const NO_FILTERS: ListFilters = { q: '', group: '', badge: '', sort: 'newest', page: 1 };

/** The highest page number. PostgreSQL reads and skips every row before an offset. */
const LAST_PAGE = 100_000;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

function pageFrom(text: string | null): number {
  const page = /^\d{1,6}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), LAST_PAGE);
}

export const LIST_ADDRESS: AddressForm<ListFilters> = {
  none: NO_FILTERS,
  read: (params) => ({
    q: textFrom(params.get('q')),
    group: textFrom(params.get('group')),
    badge: oneOf(BADGES, params.get('badge')) ?? '',
    sort: oneOf(SORTS, params.get('sort')) ?? 'newest',
    page: pageFrom(params.get('page')),
  }),
  write: (filters, now) => {
    const before = LIST_ADDRESS.read(now);
    const sameList = (['q', 'group', 'badge', 'sort'] as const).every((key) => filters[key] === before[key]);
    // Changing a filter goes back to the first page.
    const page = sameList ? filters.page : 1;
    const params = new URLSearchParams(now);
    for (const [key, value] of Object.entries({ ...filters, page })) {
      if (value === NO_FILTERS[key as keyof ListFilters]) params.delete(key);
      else params.set(key, String(value));
    }
    return params;
  },
  gradual: ['q'],
};

export const isFiltered = ({ q, group, badge }: ListFilters): boolean => Boolean(q.trim() || group || badge);

/** Text that contains `@` searches e-mail addresses, except a leading `@`, which marks a username. */
export function searchedIn(text: string): { email: string } | { name: string } | undefined {
  if (!text) return undefined;
  const at = text.indexOf('@');
  if (at > 0) return { email: text };
  const name = at === 0 ? text.slice(1) : text;
  return name ? { name } : undefined;
}
