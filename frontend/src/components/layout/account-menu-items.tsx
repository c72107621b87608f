import { LogOut, User } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { useLogout } from '@/hooks/use-logout';
import { AccountSummary } from './account-summary';
import { LOGINS } from './logins';

/** The sign-in links, or the account's name and Logout. Open when mounted, because it is loaded on demand. */
export default function AccountMenuItems() {
  const { account } = useSession();
  const logout = useLogout();
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger className="ib line" aria-label="Account menu">
        <User className="i" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={8} collisionPadding={12}>
          {account ? (
            <>
              <DropdownMenu.Label className="menu-label">
                <AccountSummary />
              </DropdownMenu.Label>
              <DropdownMenu.Separator className="menu-line" />
              <DropdownMenu.Item className="menu-item" onSelect={() => void logout()}>
                <LogOut className="i i18" aria-hidden="true" />
                Logout
              </DropdownMenu.Item>
            </>
          ) : (
            LOGINS.map(({ name, to }) => (
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
