import { Check, Trash2 } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { Avatar } from '@/components/picture';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { FieldError } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { TableCell, TableRow } from '@/components/ui/table';
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
    <TableRow className={refusal ? 'bg-destructive-soft' : waiting?.selected ? 'bg-primary-soft/45' : undefined}>
      <TableCell>
        <div className="flex items-center gap-3">
          {waiting ? (
            <input
              type="checkbox"
              className="relative z-1 size-5 flex-none accent-primary"
              aria-label={`Select ${row.name}`}
              checked={waiting.selected}
              onChange={(event) => waiting.onSelect(event.target.checked)}
            />
          ) : null}
          <Avatar id={row.id} name={row.name} src={row.picture} size={44} />
          <div className="wrap-anywhere min-w-0 *:block *:leading-5">
            <Link
              data-row={row.id}
              className="font-semibold after:absolute after:inset-0 focus-visible:outline-none"
              to={paths.manage(kind, row.id)}
              state={{ from: pathname + search }}
            >
              {row.name}
            </Link>
            <span className="text-muted-foreground text-sm">{row.second}</span>
          </div>
        </div>
        {refusal ? (
          <div className="mt-1.5">
            <FieldError>{refusal}</FieldError>
          </div>
        ) : null}
      </TableCell>
      <TableCell label="E-mail" className="text-sm">
        <span className="wrap-anywhere relative z-1">{row.email ?? '-'}</span>
      </TableCell>
      <TableCell label={group}>
        {row.group ? (
          <Chip className="max-w-full">{row.group}</Chip>
        ) : (
          <span className="text-muted-foreground text-sm">-</span>
        )}
      </TableCell>
      <TableCell label="Badge">
        {row.badge === 'none' ? (
          <span className="text-muted-foreground text-sm">None</span>
        ) : (
          <VerificationBadge type={row.badge} size={24} />
        )}
      </TableCell>
      <TableCell>
        <div className="flex items-center justify-end gap-1.5 *:relative *:z-1 max-sm:flex-wrap max-sm:pt-2">
          {waiting ? (
            <Button
              className="max-sm:flex-1"
              variant="softp"
              size="small"
              onClick={waiting.onApprove}
              aria-label={`Approve ${row.name}`}
            >
              <Check aria-hidden="true" />
              Approve
            </Button>
          ) : null}
          <Button variant="ghost" size="small" asChild>
            <Link to={paths.manage(kind, row.id)} state={{ from: pathname + search }} aria-label={`Manage ${row.name}`}>
              Manage
            </Link>
          </Button>
          <IconButton size="small" variant="danger" aria-label={`Delete ${row.name}`} onClick={onDelete}>
            <Trash2 className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
      </TableCell>
    </TableRow>
  );
}
