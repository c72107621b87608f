import { ChevronRight, LayoutDashboard, Menu, Search, X } from 'lucide-react';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { pauseAfter, useHeldBack } from '@/hooks/use-held-back';
import { paths } from '@/lib/paths';
import { Brand } from '../brand';
import { AccountMenu } from './account-menu';
import { PhoneMenu } from './phone-menu';

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
      {open ? <PhoneMenu navigation={<NavigationLinks />} onClose={close} /> : null}
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

/** Pages that can look for influencers by themselves. */
const FILTERING: string[] = [paths.search, paths.searchInfluencers, paths.explore];

/** Typing filters the page that is open, if it can; Enter elsewhere goes to the search. */
function HeaderSearch() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const onSearchPage = FILTERING.includes(pathname);
  const [text, setText] = useState('');
  const asked = params.get('q') ?? '';
  const { held, hold, settle, drop } = useHeldBack(report);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is for the page that was open
  useEffect(drop, [params, pathname]);
  const shown = onSearchPage ? (held ?? asked) : text;

  function report(q: string) {
    const next = new URLSearchParams(params);
    if (q) next.set('q', q);
    else next.delete('q');
    // The first report makes an entry of the history: Back undoes the search, not its last letter.
    setParams(next, { replace: asked !== '' });
  }
  function type(value: string) {
    setText(value);
    if (!onSearchPage) return;
    if (value) return hold(value, pauseAfter(value));
    drop();
    report('');
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (onSearchPage) settle();
    else if (text.trim()) navigate(paths.searchFor(text.trim()));
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
