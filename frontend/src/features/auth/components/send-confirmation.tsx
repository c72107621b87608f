import { Link } from 'react-router';
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';

/** A link to request another confirmation e-mail, with the address prefilled. */
export function SendConfirmation({ login, email }: { login: string; email: string }) {
  return (
    <Link
      className="mt-1 inline-block font-semibold text-[15px] text-foreground underline underline-offset-3"
      to={withQuery(accountPaths.sendConfirmation, { portal: login })}
      state={{ email }}
    >
      Send the confirmation again
    </Link>
  );
}
