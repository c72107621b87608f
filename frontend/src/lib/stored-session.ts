// Checks for a session without loading auth-js.

/** The local storage key in which auth-js keeps the session. */
export const SESSION_KEY = 'serasi-session';

/** Whether this browser stores a session, or the URL of an e-mail link carries one. */
export function mayBeSignedIn(): boolean {
  // Pages are prerendered for visitors, without a browser.
  if (typeof window === 'undefined') return false;
  const { hash, search } = window.location;
  return (
    window.localStorage.getItem(SESSION_KEY) !== null || /[#?&](access_token|error_description)=/.test(search + hash)
  );
}
