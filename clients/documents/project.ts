// A separate PostgreSQL server with a database like a Supabase project's.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** Debian's programs, which the policy tests also install. */
export const PROGRAMS = '/usr/lib/postgresql/15/bin';
const SCHEMA = new URL('../../serasi/tests/it/import/project.sql', import.meta.url);
const NOBODY = 65_534;

export interface Project {
  url: string;
  close: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(program: string, options: string[]): [string, string[]] {
  const path = join(PROGRAMS, program);
  const isRoot = process.getuid?.() === 0;
  return isRoot ? ['setpriv', [`--reuid=${NOBODY}`, '--clear-groups', '--', path, ...options]] : [path, options];
}

export async function project(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'serasi-project-'));
  if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const port = await freePort();
  const cwd = { cwd: '/' };
  await promisify(execFile)(
    ...unprivileged('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C']),
    cwd,
  );
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  const server = spawn(...unprivileged('postgres', [...options, '-c', 'wal_level=logical', '-c', 'fsync=off']), {
    ...cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async () => {
    if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  for await (const text of server.stderr) if (String(text).includes('ready to accept connections')) break;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const database = new pg.Client(url);
  await database.connect();
  await database.query(await readFile(SCHEMA, 'utf8'));
  await database.end();
  return { url, close };
}
