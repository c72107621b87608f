/** Others work on the same lists: what stays open is looked at again. */
export const LIVE = { refetchInterval: 30_000, refetchOnWindowFocus: true } as const;
