// Turns errors into messages that say what to do.
import { isUnreachable, messageOf } from '@/lib/errors';
import { secondsToWait } from '@/lib/retry-after';

export interface Refusal {
  title: string;
  text?: string;
}

export const codeOf = (error: unknown): unknown =>
  error && typeof error === 'object' && 'code' in error ? error.code : undefined;

/** The server did not respond, or failed temporarily: the same request may work later. */
export const mayWorkLater = (error: unknown): boolean =>
  codeOf(error) === 'over_request_rate_limit' || (error instanceof Error && error.name === 'AuthRetryableFetchError');

/** The session was ended elsewhere, or its account was deleted. */
export const isSessionGone = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AuthSessionMissingError') || codeOf(error) === 'user_not_found';

const UNEXPECTED = 'An unexpected error occurred';
const ALREADY_REGISTERED = 'This email is already registered. Please sign in instead.';

export function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Sign-up with a registered address, whichever way the server reports it. */
export class AlreadyRegistered extends Error {
  override message = ALREADY_REGISTERED;
  code = 'user_already_exists';
}

/** The server's message, or the specified text for unexpected errors. */
export function refusalOf(error: unknown): Refusal {
  const code = codeOf(error);
  const wait = secondsToWait();
  if (code === 'user_already_exists' || code === 'email_exists') return { title: ALREADY_REGISTERED };
  if (code === 'over_request_rate_limit') {
    const when = wait ? `in ${inWords(wait)}` : 'in a few minutes';
    return { title: messageOf(error), text: `Try again ${when}. Your changes are kept.` };
  }
  if (isUnreachable(error)) {
    const when = wait ? `in ${inWords(wait)}` : 'in a moment';
    const text = navigator.onLine
      ? `Serasi isn't responding. Try again ${when}. Your input is kept.`
      : "You're offline. Your input is kept. Try again when you're back online.";
    return { title: UNEXPECTED, text };
  }
  return { title: messageOf(error) };
}
