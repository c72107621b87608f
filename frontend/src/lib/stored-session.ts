// What can be told of a session at once, before its library is there.

/** Where auth-js keeps the session in local storage. */
export const SESSION_KEY = 'serasi-session';

/** Whether this browser keeps a session, or the link of an e-mail brings one. */
export function mayBeSignedIn(): boolean {
  // The shell is made for visitors, where there is no browser.
  if (typeof window === 'undefined') return false;
  const { hash, search } = window.location;
  return (
    window.localStorage.getItem(SESSION_KEY) !== null || /[#?&](access_token|error_description)=/.test(search + hash)
  );
}
