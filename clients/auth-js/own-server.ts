// Starts a server with other settings on the shared database. It sends no mail: the shared server delivers the outbox.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnServer {
  url: string;
  close: () => Promise<void>;
}

export async function ownServer(settings: Record<string, string>): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'serasi-own-server-'));
  const { SERASI = '', DB_URL, JWT_SECRET } = process.env;
  const program = spawn(SERASI, ['up', '--api-only', '--no-demo', '--port', '0', '--data-dir', folder], {
    env: { ...process.env, DATABASE_URL: DB_URL, JWT_SECRET, AUTH_RATE_LIMITS: 'off', RUST_LOG: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const close = async () => {
    if (program.exitCode === null && program.kill()) await once(program, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  let said = '';
  for await (const text of program.stdout) {
    said += text;
    const url = /^ready (\S+)/m.exec(said)?.[1];
    if (url) return { url, close };
  }
  await close();
  throw new Error(`the server is not ready: ${said}`);
}
