import { ChevronRight, LayoutDashboard, Menu, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '@/app/session';
import { paths } from '@/lib/paths';
import { Brand } from '../brand';
import { AccountMenu } from './account-menu';
import { HeaderSearchField } from './header-search-field';
import { PhoneMenu } from './phone-menu';
import { type HeaderSearch, useHeaderSearch } from './use-header-search';

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
  const toggle = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    toggle.current?.focus();
  }, []);
  const search = useHeaderSearch();
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the menu
  useEffect(() => {
    // Typing in the menu's search field changes the URL to filter the page below, which must not close the menu.
    if (!search.reported()) setOpen(false);
  }, [location]);
  return (
    <header className="hd">
      <div className="wrap">
        <Brand />
        <nav aria-label="Main">
          <NavigationLinks />
        </nav>
        <SearchInHeader search={search} />
        <span className="grow l-hide" />
        <DashboardButton />
        <AccountMenu />
        <button
          ref={toggle}
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
      {open ? <PhoneMenu search={search} navigation={<NavigationLinks />} onClose={close} /> : null}
    </header>
  );
}

function NavigationLinks() {
  const { pathname } = useLocation();
  const section = pathname === paths.searchInfluencers ? paths.search : pathname;
  return LINKS.map(([name, to]) =>
    to === paths.events ? (
      <Link key={name} to={to}>
        {name}
        <ChevronRight className="i phone-chevron" aria-hidden="true" />
      </Link>
    ) : (
      <NavLink key={name} to={to} end className={section === to ? 'on' : ''}>
        {name}
        <ChevronRight className="i phone-chevron" aria-hidden="true" />
      </NavLink>
    ),
  );
}

function SearchInHeader({ search }: { search: HeaderSearch }) {
  return (
    <search className="srch">
      <form className="grow" onSubmit={search.submit}>
        <div className="inp pill" style={{ height: 44 }}>
          <HeaderSearchField search={search} />
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
