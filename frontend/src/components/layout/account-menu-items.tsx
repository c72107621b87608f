import { LogOut, User } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { menuItemVariants, menuVariants } from '@/components/ui/menu';
import { useLogout } from '@/hooks/use-logout';
import { accountLinks } from './account-links';
import { AccountSummary } from './account-summary';
import { LOGINS } from './logins';

/** The sign-in links, or the account's name and Logout. Open when mounted, because it is loaded on demand. */
export default function AccountMenuItems() {
  const { account, roles } = useSession();
  const logout = useLogout();
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger className={iconButtonVariants({ variant: 'line' })} aria-label="Account menu">
        <User aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menuVariants()} align="end" sideOffset={8} collisionPadding={12}>
          {account ? (
            <>
              <DropdownMenu.Label className="grid px-3 py-2 text-[15px]">
                <AccountSummary className="max-w-[min(280px,70vw)]" />
              </DropdownMenu.Label>
              <DropdownMenu.Separator className="my-1.5 h-px bg-border" />
              {accountLinks(roles).map(({ name, to, icon: Icon }) => (
                <DropdownMenu.Item key={to} className={menuItemVariants()} asChild>
                  <Link to={to}>
                    <Icon className="size-4.5" aria-hidden="true" />
                    {name}
                  </Link>
                </DropdownMenu.Item>
              ))}
              <DropdownMenu.Item className={menuItemVariants()} onSelect={() => void logout()}>
                <LogOut className="size-4.5" aria-hidden="true" />
                Logout
              </DropdownMenu.Item>
            </>
          ) : (
            LOGINS.map(({ name, to }) => (
              <DropdownMenu.Item key={name} className={menuItemVariants()} asChild>
                <Link to={to}>{name}</Link>
              </DropdownMenu.Item>
            ))
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
