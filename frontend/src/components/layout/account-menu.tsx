import { LogOut, User } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { useLogout } from '@/hooks/use-logout';
import { paths } from '@/lib/paths';
import { Avatar } from '../picture';

export const LOGINS = [
  { name: 'Agency Login', to: paths.agencyAuth, seed: 'quarter' },
  { name: 'Vendor Login', to: paths.vendorAuth, seed: 'bunga' },
  { name: 'Influencer Login', to: paths.auth, seed: 'leaf' },
] as const;

/** The ways in, or who is in and the way out. */
export function AccountMenu() {
  const { account } = useSession();
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
                <WhoIsIn />
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

/** Name and role; without a name, which a new account has not got yet, its address. */
export function WhoIsIn() {
  const { account, displayName, role, picture } = useSession();
  const name = displayName ?? account?.email ?? '';
  return (
    <span className="row who">
      <Avatar id={account?.id ?? ''} name={name} src={picture} size={44} />
      <span className="grow">
        <b className="trunc">{name}</b>
        {role ? <span className="sm muted">{role}</span> : null}
      </span>
    </span>
  );
}
