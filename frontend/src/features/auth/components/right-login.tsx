import { Link } from 'react-router';
import type { Login } from '../portals';

/** Leads an account that was rejected by one portal to its own. */
export function RightLogin({ login, email }: { login: Login; email: string }) {
  return (
    <Link
      className="mt-1 inline-block py-0.75 font-semibold underline underline-offset-3"
      to={login.signIn}
      // Passed as router state, to keep the e-mail address out of the URL.
      state={{ email }}
    >
      Go to {login.title}
    </Link>
  );
}
