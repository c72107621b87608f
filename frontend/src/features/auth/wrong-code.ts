import { isUnreachable, messageOf } from '@/lib/errors';
import { secondsToWait } from '@/lib/retry-after';
import { codeOf, inWords } from './refusal';

/** Whether the same request works after a code was entered. */
export const needsSecondStep = (error: unknown): boolean => codeOf(error) === 'insufficient_aal';

/** What to do about a rejected code. */
export function adviceFor(error: unknown, recovery: boolean): string {
  switch (codeOf(error)) {
    case 'mfa_verification_failed':
      return recovery
        ? "This recovery code isn't right, or it was already used."
        : "This code isn't right, or it was already used. Enter the next one your app shows.";
    case 'mfa_challenge_expired':
    case 'mfa_ip_address_mismatch':
      return 'This took too long. Try again.';
    case 'over_request_rate_limit':
      return `Too many attempts. Try again in ${inWords(secondsToWait() ?? 300)}.`;
    case 'mfa_factor_name_conflict':
      return 'You already have an app with this name.';
    default:
      return isUnreachable(error) ? "Serasi isn't responding. Try again in a moment." : messageOf(error);
  }
}
