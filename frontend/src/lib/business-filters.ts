// The filters of the agency and vendor lists, and the database queries for them.
import { type AddressForm, choiceFrom, textFrom } from './address';
import { containsAny, searchedText } from './text-match';

/** An empty string means no filter. */
export interface BusinessFilters {
  q: string;
  type: string;
  location: string;
}

export const NO_BUSINESS_FILTERS: BusinessFilters = { q: '', type: '', location: '' };

const KEYS = ['q', 'type', 'location'] as const;

export const BUSINESS_ADDRESS: AddressForm<BusinessFilters> = {
  none: NO_BUSINESS_FILTERS,
  read: (params) => ({
    q: textFrom(params.get('q')),
    type: choiceFrom(params.get('type')),
    location: textFrom(params.get('location')),
  }),
  write: (filters, now) => {
    const params = new URLSearchParams(now);
    for (const key of KEYS) {
      if (filters[key]) params.set(key, filters[key]);
      else params.delete(key);
    }
    return params;
  },
  gradual: ['q', 'location'],
};

/** The subset of postgrest-js query methods that filters use. */
export interface Filterable {
  eq(column: string, value: string): this;
  or(filters: string): this;
}

export function applyBusinessFilters<Query extends Filterable>(query: Query, filters: BusinessFilters): Query {
  let result = query;
  const text = searchedText(filters.q);
  if (text) result = result.or(containsAny(['name', 'company_name', 'description'], text));
  if (filters.type) result = result.eq('type', filters.type);
  const location = searchedText(filters.location);
  return location ? result.or(containsAny(['location'], location)) : result;
}
