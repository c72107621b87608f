import { cva } from 'class-variance-authority';
import { ChevronRight, LayoutDashboard, Menu } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { inputVariants } from '@/components/ui/input-variants';
import { paths } from '@/lib/paths';
import { Brand } from '../brand';
import { AccountMenu } from './account-menu';
import { HeaderSearchField } from './header-search-field';
import { type HeaderSearch, useHeaderSearch } from './use-header-search';

const loadPhoneMenu = () => import('./phone-menu');
const PhoneMenu = lazy(loadPhoneMenu);

const LINKS = [
  ['INFLUENCERS', paths.search],
  ['AGENCIES', paths.searchAgencies],
  ['VENDORS', paths.searchVendors],
  ['GIGS', paths.gigs],
  ['EVENTS', paths.events],
  ['PRICE', paths.pricing],
] as const;

/** The layout passes the link to the favorites and the bell in, because components may not import features. */
export function Header({ favorites, bell }: { favorites: ReactNode; bell?: ReactNode }) {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const search = useHeaderSearch();
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the menu
  useEffect(() => {
    // Typing in the menu's search field changes the URL to filter the page below, which must not close the menu.
    if (!search.reported()) setOpen(false);
  }, [location]);
  return (
    <header className="print:hidden sticky top-0 z-20 border-border border-b bg-background/92 backdrop-blur-[10px]">
      <div className="wrap flex h-16 items-center gap-2 max-[360px]:gap-1 lg:h-(--header-h)">
        <Brand />
        <nav className="hidden lg:ml-4 xl:ml-5 lg:flex" aria-label="Main">
          <NavigationLinks place="bar" />
        </nav>
        <SearchInHeader search={search} />
        <span className="min-w-0 flex-1 lg:hidden" />
        <DashboardButton />
        {favorites}
        {bell}
        <AccountMenu />
        <IconButton
          ref={toggle}
          className="lg:hidden"
          aria-label="Menu"
          aria-haspopup="dialog"
          aria-expanded={open}
          onPointerEnter={loadPhoneMenu}
          onFocus={loadPhoneMenu}
          onClick={() => setOpen(true)}
        >
          <Menu className="size-6" aria-hidden="true" />
        </IconButton>
      </div>
      {open ? (
        <Suspense>
          <PhoneMenu
            search={search}
            navigation={<NavigationLinks place="menu" />}
            onClose={close}
            focusOpener={() => toggle.current?.focus()}
          />
        </Suspense>
      ) : null}
    </header>
  );
}

const link = cva('relative flex items-center justify-between', {
  variants: {
    place: {
      bar: [
        'h-11 rounded-[10px] px-3 text-[13.5px] font-semibold tracking-[0.045em] hover:bg-secondary max-xl:px-2',
        'after:inset-x-3 after:bottom-1 after:h-0.75 after:rounded-[3px] after:bg-accent max-xl:after:inset-x-2',
      ],
      menu: 'h-15.5 border-b border-border font-display text-[22px] leading-none font-bold tracking-[0.01em] hover:bg-secondary',
    },
    current: { true: '', false: '' },
  },
  compoundVariants: [
    { place: 'bar', current: true, className: 'after:absolute' },
    { place: 'menu', current: true, className: 'text-primary' },
  ],
});

function NavigationLinks({ place }: { place: 'bar' | 'menu' }) {
  const { pathname } = useLocation();
  const section = pathname === paths.searchInfluencers ? paths.search : pathname;
  const chevron = place === 'menu' ? <ChevronRight className="text-muted-foreground" aria-hidden="true" /> : null;
  return LINKS.map(([name, to]) =>
    to === paths.events ? (
      <Link key={name} to={to} className={link({ place, current: false })}>
        {name}
        {chevron}
      </Link>
    ) : (
      <NavLink key={name} to={to} end className={link({ place, current: section === to })}>
        {name}
        {chevron}
      </NavLink>
    ),
  );
}

function SearchInHeader({ search }: { search: HeaderSearch }) {
  return (
    <search className="hidden lg:ml-auto lg:flex lg:w-75">
      <form className="min-w-0 flex-1" onSubmit={search.submit}>
        <div className={inputVariants({ size: 'header' })}>
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
    <Link className={buttonVariants({ variant: 'soft', size: 'small', className: 'max-sm:hidden' })} to={dashboardPath}>
      <LayoutDashboard aria-hidden="true" />
      {/* The search field needs the space. */}
      <span className="lg:max-xl:sr-only">Dashboard</span>
    </Link>
  );
}
