import { Check, CircleAlert, Trash2 } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { Avatar } from '@/components/picture';
import { Button } from '@/components/ui/button';
import { VerificationBadge } from '@/components/verification-badge';
import { paths } from '@/lib/paths';
import type { Kind } from '../lists';
import type { AccountRow } from '../queries';

interface RowActions {
  kind: Kind;
  row: AccountRow;
  /** Why the last attempt failed. */
  refusal: string | undefined;
  /** Set for pending accounts, which can be selected and approved. */
  waiting?: { selected: boolean; onSelect: (selected: boolean) => void; onApprove: () => void };
  onDelete: () => void;
}

/** The whole row links to the management page; its buttons are layered above that link. */
export function AccountRowView({ kind, row, refusal, waiting, onDelete }: RowActions) {
  const { pathname, search } = useLocation();
  const group = kind === 'influencer' ? 'Category' : 'Type';
  return (
    <tr className={refusal ? 'refused' : waiting?.selected ? 'chosen' : undefined}>
      <td>
        <div className="row">
          {waiting ? (
            <input
              type="checkbox"
              className="tick"
              aria-label={`Select ${row.name}`}
              checked={waiting.selected}
              onChange={(event) => waiting.onSelect(event.target.checked)}
            />
          ) : null}
          <Avatar id={row.id} name={row.name} src={row.picture} size={44} />
          <div className="account-name">
            <Link
              data-row={row.id}
              className="row-link"
              to={paths.manage(kind, row.id)}
              state={{ from: pathname + search }}
            >
              {row.name}
            </Link>
            <span className="sm muted">{row.second}</span>
          </div>
        </div>
        {refusal ? (
          <p className="errmsg">
            <CircleAlert className="i i16" aria-hidden="true" />
            {refusal}
          </p>
        ) : null}
      </td>
      <td data-l="E-mail" className="sm">
        <span className="account-email">{row.email ?? '-'}</span>
      </td>
      <td data-l={group}>
        {row.group ? <span className="chip">{row.group}</span> : <span className="sm muted">-</span>}
      </td>
      <td data-l="Badge">
        {row.badge === 'none' ? (
          <span className="sm muted">None</span>
        ) : (
          <VerificationBadge type={row.badge} size={24} />
        )}
      </td>
      <td>
        <div className="row acts">
          {waiting ? (
            <Button variant="softp" size="small" onClick={waiting.onApprove} aria-label={`Approve ${row.name}`}>
              <Check className="i" aria-hidden="true" />
              Approve
            </Button>
          ) : null}
          <Button variant="ghost" size="small" asChild>
            <Link to={paths.manage(kind, row.id)} state={{ from: pathname + search }} aria-label={`Manage ${row.name}`}>
              Manage
            </Link>
          </Button>
          <button type="button" className="ib s remove" aria-label={`Delete ${row.name}`} onClick={onDelete}>
            <Trash2 className="i i18" aria-hidden="true" />
          </button>
        </div>
      </td>
    </tr>
  );
}
