import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Card, cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { copyText } from '@/lib/copy-text';
import {
  agoOf,
  type BackupRow,
  type BackupService,
  isLate,
  keptOf,
  type LastBackup,
  nextOf,
  progressOf,
  scheduleOf,
} from '../backups';
import { sizeOf } from '../health';

const COMMAND = 'BACKUP_TO=/var/backups/serasi BACKUP_EVERY=24 BACKUP_KEEP=14 serasi up';

export function NotSetUp() {
  const copy = () =>
    copyText(COMMAND, { copied: 'Command copied', otherwise: 'Select the command and copy it yourself.' });
  return (
    <section className={cardVariants({ padded: true })}>
      <h2 className="text-[20px]">Backups are not set up</h2>
      <p className="mt-2 max-w-[64ch] text-muted-foreground">
        Choose a folder on another disk, or a bucket, and start Serasi with it. This makes a backup every day and keeps
        the newest 14:
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-muted p-4">
        <code className="min-w-0 flex-1 basis-80 text-sm [overflow-wrap:anywhere]">{COMMAND}</code>
        <Button variant="outline" size="small" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
      </div>
      <p className="mt-4 text-muted-foreground text-sm">
        With Docker Compose, start it with the profile:{' '}
        <code className="[overflow-wrap:anywhere]">docker compose --profile backup up --detach</code>
      </p>
    </section>
  );
}

export function BackupProgress({ row }: { row: BackupRow }) {
  const text = progressOf(row);
  return (
    <Card padded>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-[20px]">{row.step === 'verify' ? 'Verifying the backup' : 'Backing up'}</h2>
        <p className="text-muted-foreground tabular-nums" role="status">
          {text}
        </p>
      </div>
      <div
        className="mt-4 h-2.5 overflow-hidden rounded-full bg-muted"
        role="progressbar"
        aria-label="Backup"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={row.percent ?? 0}
        aria-valuetext={text}
      >
        <div
          className="h-full rounded-full bg-primary transition-[width] duration-(--dur-2)"
          style={{ width: `${row.percent ?? 0}%` }}
        />
      </div>
    </Card>
  );
}

export function BackupSummary(props: { service: BackupService; last: LastBackup | null; now: number }) {
  const { service, last, now } = props;
  const late = isLate({ service, last }, now);
  return (
    <section className={cardVariants({ padded: true })}>
      <h2 className="sr-only">Overview</h2>
      {service.running ? null : (
        <p className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2">
          <Chip tone="red">Not running</Chip>
          <span className="text-muted-foreground">
            The program that makes backups last reported {agoOf(service.seen_at, now).toLowerCase()}. Start it again.
          </span>
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
        <Fact name="Last backup" second={last ? sizeOf(last.bytes) : undefined}>
          {late ? <Chip tone="amber">{last ? agoOf(last.finished_at, now) : 'None yet'}</Chip> : null}
          {late ? null : last ? agoOf(last.finished_at, now) : 'None yet'}
        </Fact>
        <Fact name="Verified" second={last?.verified_at ? agoOf(last.verified_at, now) : undefined}>
          <Verified last={last} />
        </Fact>
        <Fact
          name="Schedule"
          second={service.running && service.every_hours ? `Next: ${nextOf(service, now).toLowerCase()}` : undefined}
        >
          {scheduleOf(service)}
        </Fact>
        <Fact name="Keeps" second={`In ${service.place}${service.encrypted ? ', encrypted' : ''}`}>
          {keptOf(service)}
        </Fact>
      </dl>
    </section>
  );
}

function Verified({ last }: { last: LastBackup | null }) {
  if (!last || last.verified === null) return 'Not yet';
  return last.verified ? (
    <Chip tone="green">
      <Check aria-hidden="true" />
      Intact
    </Chip>
  ) : (
    <Chip tone="red">Damaged</Chip>
  );
}

function Fact({ name, second, children }: { name: string; second: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd className="mt-1 min-h-7.5 font-semibold text-[17px] tabular-nums">{children}</dd>
      {second ? <dd className="wrap-anywhere mt-1 text-muted-foreground text-sm tabular-nums">{second}</dd> : null}
    </div>
  );
}
