import { useSession } from '@/app/session';
import { Avatar } from '../picture';

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
