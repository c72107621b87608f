import { Link } from 'react-router';
import { StateBadge } from '@/components/state-badge';
import { Chip } from '@/components/ui/chip';
import { Table, TableCard, TableCell, TableHead, TableRow } from '@/components/ui/table';
import { KIND_LABELS, reasonLabel } from '@/features/reports/kinds';
import { momentOf } from '@/lib/dates';
import { paths } from '@/lib/paths';
import type { ListedReport } from '../report-queries';
import { ageOf } from '../reports';

export function ReportTable({ rows, busy, now }: { rows: ListedReport[]; busy: boolean; now: number }) {
  return (
    <TableCard aria-busy={busy}>
      <Table>
        <caption className="sr-only">Reports</caption>
        <thead>
          <TableRow>
            <TableHead>Age</TableHead>
            <TableHead>State</TableHead>
            <TableHead>About</TableHead>
            <TableHead>Reason</TableHead>
            <TableHead>Admin</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} now={now} />
          ))}
        </tbody>
      </Table>
    </TableCard>
  );
}

function Row({ row, now }: { row: ListedReport; now: number }) {
  const admin = row.report_decisions?.decider ?? row.report_decisions?.taker;
  return (
    <TableRow layout="pair">
      <TableCell className="whitespace-nowrap text-muted-foreground tabular-nums max-sm:text-right">
        <time dateTime={row.created_at} title={momentOf(row.created_at)}>
          {ageOf(row.created_at, now)}
        </time>
      </TableCell>
      <TableCell className="max-sm:-order-1">
        <StateBadge of="report" state={row.state} />
      </TableCell>
      <TableCell className="wrap-anywhere max-sm:col-span-full">
        <Link
          className="font-semibold underline-offset-3 outline-none after:absolute after:inset-0 hover:underline"
          data-row={row.id}
          to={paths.reportDesk(row.id)}
        >
          {row.title || 'Untitled'}
        </Link>
        <span className="block text-muted-foreground text-sm">{KIND_LABELS[row.kind]}</span>
      </TableCell>
      <TableCell label="Reason" className="wrap-anywhere max-sm:col-span-full">
        <span className="max-sm:text-right">
          {reasonLabel(row.reason)}
          {row.words ? (
            <span className="mt-1 flex flex-wrap gap-1.5 max-sm:justify-end">
              {row.words.map((word) => (
                <Chip key={word} tone="amber" size="small" className="max-w-full">
                  <span className="truncate">{word}</span>
                </Chip>
              ))}
            </span>
          ) : null}
        </span>
      </TableCell>
      <TableCell
        label="Admin"
        className={admin ? 'wrap-anywhere text-muted-foreground max-sm:col-span-full' : 'max-sm:hidden'}
      >
        {admin ?? '-'}
      </TableCell>
    </TableRow>
  );
}
