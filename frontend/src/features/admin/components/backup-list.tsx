import { clsx } from 'clsx';
import { Check, CircleAlert, Clock, LoaderCircle, Trash2 } from 'lucide-react';
import { Chip } from '@/components/ui/chip';
import { Table, TableCard, TableCell, TableHead, TableRow } from '@/components/ui/table';
import type { NamedBackup } from '../backup-queries';
import { isOpen, progressOf } from '../backups';
import { sizeOf, spanOf } from '../health';

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat('en-GB');

/** Newest first. */
export function BackupList({ rows, busy }: { rows: NamedBackup[]; busy: boolean }) {
  return (
    <TableCard aria-busy={busy}>
      <Table>
        <caption className="sr-only">Backups</caption>
        <thead>
          <TableRow>
            <TableHead>Time</TableHead>
            <TableHead>State</TableHead>
            <TableHead align="right">Size</TableHead>
            <TableHead align="right">Rows</TableHead>
            <TableHead align="right">Images</TableHead>
            <TableHead>Took</TableHead>
            <TableHead>Requested by</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </Table>
    </TableCard>
  );
}

function Row({ row }: { row: NamedBackup }) {
  const at = row.started_at ?? row.created_at;
  const took = tookOf(row);
  return (
    <TableRow layout="pair">
      <TableCell className="whitespace-nowrap tabular-nums">
        <time dateTime={at}>{TIME.format(new Date(at))}</time>
      </TableCell>
      <TableCell className={row.error ? 'max-sm:col-span-full' : undefined}>
        <State row={row} />
        {row.error ? (
          <p className="wrap-anywhere mt-1.5 max-w-[52ch] text-muted-foreground text-sm">{sentence(row.error)}</p>
        ) : null}
      </TableCell>
      <Figure label="Size" text={row.bytes === null ? undefined : sizeOf(row.bytes)} />
      <Figure label="Rows" text={row.row_count === null ? undefined : NUMBER.format(row.row_count)} />
      <Figure label="Images" text={row.picture_count === null ? undefined : NUMBER.format(row.picture_count)} />
      <TableCell
        label="Took"
        className={clsx('whitespace-nowrap tabular-nums max-sm:col-span-full', !took && 'max-sm:hidden')}
      >
        {took ?? '-'}
      </TableCell>
      <TableCell label="Requested by" className="wrap-anywhere text-muted-foreground max-sm:col-span-full">
        {row.email ?? (row.requested_by ? 'A deleted account' : 'Schedule or command')}
      </TableCell>
    </TableRow>
  );
}

/** The program's message as a sentence. */
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Figure({ label, text }: { label: string; text: string | undefined }) {
  return (
    <TableCell
      label={label}
      className={clsx('whitespace-nowrap tabular-nums max-sm:col-span-full sm:text-right', !text && 'max-sm:hidden')}
    >
      {text ?? '-'}
    </TableCell>
  );
}

function tookOf({ started_at: from, finished_at: to, state }: NamedBackup): string | undefined {
  if (!from || !to || state !== 'complete') return undefined;
  return spanOf(Math.max(1, (Date.parse(to) - Date.parse(from)) / 1000));
}

function State({ row }: { row: NamedBackup }) {
  if (row.state === 'requested') {
    return (
      <Chip tone="blue">
        <Clock aria-hidden="true" />
        Requested
      </Chip>
    );
  }
  if (isOpen(row)) {
    return (
      <Chip tone="blue">
        <LoaderCircle className="animate-turn" aria-hidden="true" />
        {progressOf(row)}
      </Chip>
    );
  }
  if (row.state === 'failed') return <Alert word="Failed" />;
  if (row.removed_at) {
    return (
      <Chip tone="quiet">
        <Trash2 aria-hidden="true" />
        Removed
      </Chip>
    );
  }
  if (row.verified === false) return <Alert word="Damaged" />;
  return (
    <Chip tone={row.verified ? 'green' : 'neutral'}>
      <Check aria-hidden="true" />
      {row.verified ? 'Verified' : 'Complete'}
    </Chip>
  );
}

function Alert({ word }: { word: string }) {
  return (
    <Chip tone="red">
      <CircleAlert aria-hidden="true" />
      {word}
    </Chip>
  );
}
