// Stores filters in the URL, so that results can be shared and Back works.

/** Reads one screen's filters from the URL and writes them to it. */
export interface AddressForm<Filters> {
  none: Filters;
  read: (params: URLSearchParams) => Filters;
  /** Keeps other parameters. */
  write: (filters: Filters, now: URLSearchParams) => URLSearchParams;
  /** Filters that change continuously, by typing or dragging. */
  gradual: readonly (keyof Filters)[];
}

/** No column holds longer text, so cutting a search text here doesn't change its results. */
const LONGEST = 501;

export const textFrom = (text: string | null): string => (text ?? '').slice(0, LONGEST);

/** 'All', 'All Industries', 'All Types' and so on mean no filter. */
export const choiceFrom = (text: string | null): string => (text && !/^all($| )/i.test(text) ? text : '');
