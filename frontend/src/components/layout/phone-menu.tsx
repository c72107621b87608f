import { ChevronRight, LogOut } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { useLogout } from '@/hooks/use-logout';
import { UbinPattern } from '../ubin-pattern';
import { AccountSummary } from './account-summary';
import { HeaderSearchField } from './header-search-field';
import { LOGINS } from './logins';
import type { HeaderSearch } from './use-header-search';

/** The full-screen menu on small screens: search, navigation and the account. */
export function PhoneMenu(props: { search: HeaderSearch; navigation: ReactNode; onClose: () => void }) {
  const { search, navigation, onClose } = props;
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <div id="phone-menu" className="phone-menu l-hide">
      <search>
        <form
          onSubmit={(event) => {
            search.submit(event);
            if (search.filters) onClose();
          }}
        >
          <div className="inp pill">
            <HeaderSearchField search={search} />
          </div>
        </form>
      </search>
      <nav aria-label="Main">{navigation}</nav>
      <PhoneAccount />
    </div>
  );
}

function PhoneAccount() {
  const { account, displayName, dashboardPath } = useSession();
  const logout = useLogout();
  if (account) {
    return (
      <div className="phone-account">
        <AccountSummary />
        {displayName && dashboardPath ? (
          <Link className="btn primary full" to={dashboardPath}>
            Dashboard
          </Link>
        ) : null}
        <button type="button" className="btn outline full" onClick={() => void logout()}>
          <LogOut className="i" aria-hidden="true" />
          Logout
        </button>
      </div>
    );
  }
  return (
    <div className="phone-account">
      {LOGINS.map(({ name, to, seed }) => (
        <Link key={name} className="row card phone-login" to={to}>
          <span className="phone-login-tile">
            <UbinPattern seed={seed} columns={1} rows={1} />
          </span>
          <b className="grow">{name}</b>
          <ChevronRight className="i" aria-hidden="true" />
        </Link>
      ))}
    </div>
  );
}
