import { useSession } from '@/app/session';
import { Avatar } from '../picture';

/** Display name and role. A new account has no name yet, so its e-mail address is shown instead. */
export function AccountSummary() {
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
