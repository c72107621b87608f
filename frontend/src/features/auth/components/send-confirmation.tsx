import { Link } from 'react-router';
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';

/** The way to another confirmation mail, with the address already there. */
export function SendConfirmation({ door, email }: { door: string; email: string }) {
  return (
    <Link className="text-link" to={withQuery(accountPaths.sendConfirmation, { portal: door })} state={{ email }}>
      Send the confirmation again
    </Link>
  );
}
