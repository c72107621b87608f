import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadFailure } from '@/components/load-failure';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { paths } from '@/lib/paths';
import { agoOf, type BackupState, isLate } from '../backups';
import { mailsOf, sinceOf, sizeOf, spanOf } from '../health';
import { type Disk, healthQuery, type Replica, type SystemHealth, servicesQuery } from '../health-queries';
import { BackToPanel } from './back-to-panel';
import { TableSkeleton } from './list-states';

/** An e-mail that waits this long is delayed. */
const MAIL_DELAY_MS = 15 * 60_000;
/** A replica this far behind shows old data. */
const REPLICA_DELAY_SECONDS = 10;

export function HealthPage() {
  const { data, isPending, error, refetch, dataUpdatedAt } = useQuery(healthQuery);
  return (
    <>
      <BackToPanel />
      <div className="pt-2 pb-5">
        <h1 className="text-[34px] leading-[1.08]">System health</h1>
        <p className="mt-2 text-[16px] text-muted-foreground">Updated every 15 seconds.</p>
      </div>
      {isPending ? (
        <TableSkeleton label="Loading the state of the system..." />
      ) : data === undefined ? (
        <LoadFailure inside title="Error loading data" error={error} retry={() => void refetch()} />
      ) : (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Services />
          <Database health={data} now={dataUpdatedAt} />
          <Mail outbox={data.outbox} now={dataUpdatedAt} />
          <Section title="Versions">
            <Fact name="Serasi">{data.program ?? 'Unknown'}</Fact>
            <Fact name="Database schema">{data.schema}</Fact>
            <Fact name="PostgreSQL">{data.postgres}</Fact>
          </Section>
          <Backups state={data.backups} now={dataUpdatedAt} />
          <Disks disks={data.disks} />
          <Replicas replicas={data.replicas} />
        </div>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={cardVariants({ padded: true })}>
      <h2 className="mb-2 text-[20px]">{title}</h2>
      <dl>{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-border border-t py-2.5 first:border-t-0">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** Shown in place of facts. */
function Note({ children }: { children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">State</dt>
      <dd className="py-2.5 text-muted-foreground">{children}</dd>
    </div>
  );
}

function Services() {
  const { data } = useQuery(servicesQuery);
  return (
    <Section title="Services">
      {data ? (
        data.map(({ name, up }) => (
          <Fact key={name} name={name}>
            <Chip tone={up ? 'green' : 'red'}>{up ? 'Up' : 'Down'}</Chip>
          </Fact>
        ))
      ) : (
        <Note>Checking...</Note>
      )}
    </Section>
  );
}

function Mail({ outbox, now }: { outbox: SystemHealth['outbox']; now: number }) {
  const { oldest_at: oldest } = outbox;
  const late = oldest !== null && now - Date.parse(oldest) > MAIL_DELAY_MS;
  return (
    <Section title="E-mail">
      <Fact name="Waiting">{mailsOf(outbox.pending)}</Fact>
      {oldest ? (
        <Fact name="Oldest">{late ? <Chip tone="amber">{sinceOf(oldest, now)}</Chip> : sinceOf(oldest, now)}</Fact>
      ) : null}
      <Fact name="Failed in the last 30 days">{mailsOf(outbox.given_up)}</Fact>
    </Section>
  );
}

function Database({ health, now }: { health: SystemHealth; now: number }) {
  return (
    <Section title="Database">
      <Fact name="Size">{sizeOf(health.database_bytes)}</Fact>
      <Fact name="Connections">
        {health.connections} of {health.max_connections}
      </Fact>
      <Fact name="Running for">{sinceOf(health.started_at, now)}</Fact>
    </Section>
  );
}

function Backups({ state, now }: { state: BackupState; now: number }) {
  const { service, last } = state;
  const age = last ? agoOf(last.finished_at, now) : 'None';
  return (
    <Section title="Backups">
      {service ? (
        <>
          <Fact name="Last backup">{isLate(state, now) ? <Chip tone="amber">{age}</Chip> : age}</Fact>
          {last?.verified === false ? (
            <Fact name="Verified">
              <Chip tone="red">Damaged</Chip>
            </Fact>
          ) : null}
          <Fact name="Program">
            <Chip tone={service.running ? 'green' : 'red'}>{service.running ? 'Running' : 'Not running'}</Chip>
          </Fact>
        </>
      ) : (
        <Note>
          <Chip tone="amber">Not set up</Chip>
        </Note>
      )}
      <Fact name="History">
        <Link className="font-semibold underline underline-offset-3" to={paths.backups}>
          All backups
        </Link>
      </Fact>
    </Section>
  );
}

const DISKS = { database: 'Database', images: 'Images', backups: 'Backups' } as const;
/** With less space than this, an operator should act. */
const LOW_SPACE = 0.1;

function Disks({ disks }: { disks: Disk[] }) {
  return (
    <Section title="Disk space">
      {disks.length === 0 ? <Note>No program reports the space on its disks.</Note> : null}
      {disks.map(({ name, free, total }) => {
        const text = `${sizeOf(free)} of ${sizeOf(total)} free`;
        return (
          <Fact key={name} name={DISKS[name]}>
            {free < total * LOW_SPACE ? <Chip tone="amber">{text}</Chip> : text}
          </Fact>
        );
      })}
    </Section>
  );
}

function Replicas({ replicas }: { replicas: Replica[] }) {
  return (
    <Section title="Replicas">
      {replicas.length === 0 ? <Note>This database has no replicas.</Note> : null}
      {replicas.map((replica, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several replicas may have the same name
        <Fact key={place} name={replica.name}>
          <Lag replica={replica} />
        </Fact>
      ))}
    </Section>
  );
}

function Lag({ replica: { state, lag_seconds: seconds, lag_bytes: bytes } }: { replica: Replica }) {
  if (state === null) return 'Connected';
  if (state !== 'streaming') return <Chip tone="amber">{state}</Chip>;
  const text = seconds === null ? 'Up to date' : `${spanOf(seconds)} behind`;
  const size = bytes ? `, ${sizeOf(bytes)}` : '';
  return <Chip tone={seconds !== null && seconds > REPLICA_DELAY_SECONDS ? 'amber' : 'green'}>{text + size}</Chip>;
}
