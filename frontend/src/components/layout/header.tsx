import { LayoutDashboard, LogOut, Menu, Search, User, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate, useSearchParams } from 'react-router';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { paths } from '@/lib/paths';
import { Brand } from '../brand';

const LINKS = [
  ['INFLUENCERS', paths.search],
  ['AGENCIES', paths.searchAgencies],
  ['VENDORS', paths.searchVendors],
  ['GIGS', paths.gigs],
  ['EVENTS', paths.events],
  ['PRICE', paths.pricing],
] as const;

export function Header() {
  const [open, setOpen] = useState(false);
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu
  useEffect(() => setOpen(false), [location]);
  return (
    <header className="hd">
      <div className="wrap">
        <Brand />
        <nav aria-label="Main">
          <NavigationLinks />
        </nav>
        <HeaderSearch />
        <span className="grow l-hide" />
        <DashboardButton />
        <AccountMenu />
        <button
          type="button"
          className="ib l-hide"
          aria-label={open ? 'Close menu' : 'Menu'}
          aria-expanded={open}
          aria-controls="phone-menu"
          onClick={() => setOpen(!open)}
        >
          {open ? <X className="i i24" aria-hidden="true" /> : <Menu className="i i24" aria-hidden="true" />}
        </button>
      </div>
      {open ? <PhoneMenu /> : null}
    </header>
  );
}

function NavigationLinks() {
  const { pathname } = useLocation();
  return LINKS.map(([name, to]) =>
    to === paths.events ? (
      <Link key={name} to={to}>
        {name}
      </Link>
    ) : (
      <NavLink key={name} to={to} end className={pathname === to ? 'on' : ''}>
        {name}
      </NavLink>
    ),
  );
}

/** Typing filters the open search page; Enter elsewhere goes to the search. */
function HeaderSearch() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const onSearchPage = pathname === paths.search;
  const [text, setText] = useState('');
  const shown = onSearchPage ? (params.get('q') ?? '') : text;

  function type(value: string) {
    setText(value);
    if (!onSearchPage) return;
    setParams(
      (now) => {
        if (value) now.set('q', value);
        else now.delete('q');
        return now;
      },
      { replace: true },
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!onSearchPage && text.trim()) navigate(paths.searchFor(text.trim()));
  }
  return (
    <search className="srch">
      <form className="grow" onSubmit={submit}>
        <div className="inp pill" style={{ height: 44 }}>
          <Search className="i i18" aria-hidden="true" />
          <input
            type="search"
            placeholder="Search influencers..."
            aria-label="Search influencers"
            value={shown}
            onChange={(event) => type(event.target.value)}
          />
        </div>
      </form>
    </search>
  );
}

function DashboardButton() {
  const { displayName, dashboardPath } = useSession();
  if (!displayName || !dashboardPath) return null;
  return (
    <Link className="btn soft s m-hide" to={dashboardPath}>
      <LayoutDashboard className="i" aria-hidden="true" />
      Dashboard
    </Link>
  );
}

function useLogout() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    toast.success('Logged out successfully');
    navigate(paths.home);
  };
}

const LOGINS = [
  ['Agency Login', paths.agencyAuth],
  ['Vendor Login', paths.vendorAuth],
  ['Influencer Login', paths.auth],
] as const;

function AccountMenu() {
  const { account, displayName, role, dashboardPath } = useSession();
  const logout = useLogout();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="ib line" aria-label="Account menu">
        <User className="i" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={8} collisionPadding={12}>
          {account ? (
            <>
              <DropdownMenu.Label className="menu-label">
                <b className="trunc">{displayName ?? account.email}</b>
                {role ? <span className="muted">{role}</span> : null}
              </DropdownMenu.Label>
              <DropdownMenu.Separator className="menu-line" />
              {dashboardPath ? (
                <DropdownMenu.Item className="menu-item" asChild>
                  <Link to={dashboardPath}>
                    <LayoutDashboard className="i i18" aria-hidden="true" />
                    Dashboard
                  </Link>
                </DropdownMenu.Item>
              ) : null}
              <DropdownMenu.Item className="menu-item" onSelect={() => void logout()}>
                <LogOut className="i i18" aria-hidden="true" />
                Logout
              </DropdownMenu.Item>
            </>
          ) : (
            LOGINS.map(([name, to]) => (
              <DropdownMenu.Item key={name} className="menu-item" asChild>
                <Link to={to}>{name}</Link>
              </DropdownMenu.Item>
            ))
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function PhoneMenu() {
  const { account, displayName, dashboardPath } = useSession();
  const logout = useLogout();
  const navigate = useNavigate();
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
          <div className="inp">
            <Search className="i i18" aria-hidden="true" />
            <input name="q" type="search" placeholder="Search influencers..." aria-label="Search influencers" />
          </div>
        </form>
      </search>
      <nav aria-label="Main">
        <NavigationLinks />
      </nav>
      <div className="phone-logins">
        {account ? (
          <>
            {displayName && dashboardPath ? (
              <Link className="btn primary full" to={dashboardPath}>
                Dashboard
              </Link>
            ) : null}
            <button type="button" className="btn outline full" onClick={() => void logout()}>
              Logout
            </button>
          </>
        ) : (
          LOGINS.map(([name, to]) => (
            <Link key={name} className="btn outline full" to={to}>
              {name}
            </Link>
          ))
        )}
      </div>
    </div>
  );
}
