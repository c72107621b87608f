/** Several admins work on the same lists, so open lists are refetched regularly. */
export const LIVE = { refetchInterval: 30_000, refetchOnWindowFocus: true } as const;
