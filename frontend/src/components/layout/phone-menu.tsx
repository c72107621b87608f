import { ChevronRight, LogOut } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { inputVariants } from '@/components/ui/input-variants';
import { useLogout } from '@/hooks/use-logout';
import { UbinPattern } from '../ubin-pattern';
import { AccountSummary } from './account-summary';
import { HeaderSearchField } from './header-search-field';
import { LOGINS } from './logins';
import type { HeaderSearch } from './use-header-search';

/** The full-screen menu on small screens: search, navigation and the account. */
export default function PhoneMenu(props: { search: HeaderSearch; navigation: ReactNode; onClose: () => void }) {
  const { search, navigation, onClose } = props;
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <div
      id="phone-menu"
      className="flex max-h-[calc(100dvh-64px)] min-h-[calc(100dvh-64px)] flex-col gap-3.5 overflow-y-auto border-border border-t bg-background px-(--gutter) py-4 lg:hidden"
    >
      <search>
        <form
          onSubmit={(event) => {
            search.submit(event);
            if (search.filters) onClose();
          }}
        >
          <div className={inputVariants({ size: 'pill' })}>
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
      <div className="mt-auto grid gap-2 pt-3.5">
        <AccountSummary className="pt-1 pb-2" />
        {displayName && dashboardPath ? (
          <Link className={buttonVariants({ full: true })} to={dashboardPath}>
            Dashboard
          </Link>
        ) : null}
        <Button variant="outline" full onClick={() => void logout()}>
          <LogOut aria-hidden="true" />
          Logout
        </Button>
      </div>
    );
  }
  return (
    <div className="mt-auto grid gap-2 pt-3.5">
      {LOGINS.map(({ name, to, seed }) => (
        <Link
          key={name}
          className={cardVariants({ radius: 'large', className: 'flex items-center gap-3.5 p-2.5' })}
          to={to}
        >
          <span className="size-12 flex-none overflow-hidden rounded-[10px]">
            <UbinPattern seed={seed} columns={1} rows={1} />
          </span>
          <b className="min-w-0 flex-1">{name}</b>
          <ChevronRight aria-hidden="true" />
        </Link>
      ))}
    </div>
  );
}
