import { clsx } from 'clsx';
import { useSession } from '@/app/session';
import { Avatar } from '../picture';

/** Display name and role. A new account has no name yet, so its e-mail address is shown instead. */
export function AccountSummary({ className }: { className?: string }) {
  const { account, displayName, role, picture } = useSession();
  const name = displayName ?? account?.email ?? '';
  return (
    <span className={clsx('flex min-w-0 items-center gap-3', className)}>
      <Avatar id={account?.id ?? ''} name={name} src={picture} size={44} />
      <span className="min-w-0 flex-1">
        <b className="block truncate leading-5">{name}</b>
        {role ? <span className="block text-muted-foreground text-sm capitalize">{role}</span> : null}
      </span>
    </span>
  );
}
