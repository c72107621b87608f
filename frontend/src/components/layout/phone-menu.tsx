import { ChevronRight, LogOut, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { inputVariants } from '@/components/ui/input-variants';
import { useLogout } from '@/hooks/use-logout';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { Brand } from '../brand';
import { UbinPattern } from '../ubin-pattern';
import { accountLinks } from './account-links';
import { AccountSummary } from './account-summary';
import { HeaderSearchField } from './header-search-field';
import { LOGINS } from './logins';
import type { HeaderSearch } from './use-header-search';

interface PhoneMenuProps {
  search: HeaderSearch;
  navigation: ReactNode;
  onClose: () => void;
  /** Moves the focus back to the button that opened the menu. */
  focusOpener: () => void;
}

/** The full-screen menu on small screens: search, navigation and the account. Open when mounted. */
export default function PhoneMenu({ search, navigation, onClose, focusOpener }: PhoneMenuProps) {
  const close = useRef<HTMLButtonElement>(null);
  const wide = useWideScreen();
  useEffect(() => {
    // A rotated tablet shows the navigation bar instead; the hidden menu must not keep the focus.
    if (wide) onClose();
  }, [wide, onClose]);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-background">
          <Dialog.Content
            id="phone-menu"
            className="flex h-full flex-col outline-none"
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              // Not the search field: on a phone that would open the keyboard.
              event.preventDefault();
              close.current?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusOpener();
            }}
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <div className="flex h-16 flex-none items-center justify-between border-border border-b px-(--gutter)">
              <Brand />
              <Dialog.Close ref={close} className={iconButtonVariants()} aria-label="Close menu">
                <X className="size-6" aria-hidden="true" />
              </Dialog.Close>
            </div>
            <div className="flex flex-1 flex-col gap-3.5 overflow-y-auto px-(--gutter) py-4">
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
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PhoneAccount() {
  const { account, roles, displayName, dashboardPath } = useSession();
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
        {accountLinks(roles).map(({ name, to }) => (
          <Link key={to} className={buttonVariants({ variant: 'outline', full: true })} to={to}>
            {name}
          </Link>
        ))}
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
