// How filters stand in the address: a result can be shared, and Back works.

/** One screen's filters, to and from the address. */
export interface AddressForm<Filters> {
  none: Filters;
  read: (params: URLSearchParams) => Filters;
  /** Keeps what is not a filter. */
  write: (filters: Filters, now: URLSearchParams) => URLSearchParams;
  /** What changes many times in a row, by typing or sliding. */
  gradual: readonly (keyof Filters)[];
}

/** No column holds a longer text: cut here, what is looked for still isn't found. */
const LONGEST = 501;

export const textFrom = (text: string | null): string => (text ?? '').slice(0, LONGEST);

/** 'All', 'All Industries', 'All Types' … are no restriction. */
export const choiceFrom = (text: string | null): string => (text && !/^all($| )/i.test(text) ? text : '');
