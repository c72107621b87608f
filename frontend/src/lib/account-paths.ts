// The addresses around a mailed link. Apart from the others: visitors' first page does without them.

export const accountPaths = {
  forgotPassword: '/auth/forgot-password',
  sendConfirmation: '/auth/send-confirmation',
  sendChange: '/auth/send-change',
  confirm: '/auth/confirm',
  confirmed: '/auth/confirmed',
  newPassword: '/auth/new-password',
  linkExpired: '/auth/link-expired',
} as const;

/** With what the next page has to know; empty values stay out. */
export function withQuery(path: string, values: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}
