import { ChevronRight, LogOut, Search } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import { useLogout } from '@/hooks/use-logout';
import { paths } from '@/lib/paths';
import { UbinPattern } from '../ubin-pattern';
import { LOGINS } from './logins';
import { WhoIsIn } from './who-is-in';

/** Below the large breakpoint: search, navigation and the account, over the whole screen. */
export function PhoneMenu({ navigation, onClose }: { navigation: ReactNode; onClose: () => void }) {
  const navigate = useNavigate();
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
            event.preventDefault();
            const text = new FormData(event.currentTarget).get('q');
            if (typeof text === 'string' && text.trim()) navigate(paths.searchFor(text.trim()));
          }}
        >
          <div className="inp pill">
            <Search className="i i18" aria-hidden="true" />
            <input name="q" type="search" placeholder="Search influencers..." aria-label="Search influencers" />
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
        <WhoIsIn />
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
