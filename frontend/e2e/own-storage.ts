// A separate storage service at the usual address: one that can be killed, and that limits an account to any amount of
// space. The database and the stored pictures are shared.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnStorage {
  url: string;
  /** Kills the service when it has received this many bytes of an upload. */
  dieAfter: (bytes: number) => void;
  startAgain: () => Promise<void>;
  close: () => Promise<void>;
}

/** `target`: the server for all other requests. */
export async function ownStorage(target: string, settings: Record<string, string> = {}): Promise<OwnStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'serasi-own-storage-'));
  let service: ChildProcess;
  let address = '';
  let most = Number.POSITIVE_INFINITY;

  const start = async () => {
    const { SERASI = '', DB_URL, JWT_SECRET, DATA_DIR = '' } = process.env;
    const itself = ['up', '--api-only', '--no-demo', '--port', '0', '--data-dir', folder];
    service = spawn(SERASI, itself, {
      env: { ...process.env, DATABASE_URL: DB_URL, JWT_SECRET, STORAGE_DIR: join(DATA_DIR, 'storage'), ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const text of service.stdout ?? []) {
      said += text;
      address = /^ready (\S+)$/m.exec(said)?.[1] ?? '';
      if (address) return;
    }
    throw new Error(`the storage service is not ready: ${said}`);
  };
  await start();

  /** Even a killed process can take half a second to exit. Until then it locks its folder. */
  const ended = async () => {
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
  };

  const proxy = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    const storage = url.startsWith('/storage/');
    const upstream = ask(new URL(url, storage ? address : target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // Responds like a proxy whose upstream is down.
    upstream.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    let passed = 0;
    incoming.on('data', (bytes) => {
      passed += bytes.length;
      if (storage && passed > most) service.kill('SIGKILL');
      upstream.write(bytes);
    });
    incoming.on('end', () => upstream.end());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    dieAfter: (bytes) => {
      most = bytes;
    },
    startAgain: async () => {
      most = Number.POSITIVE_INFINITY;
      await ended();
      await start();
    },
    close: async () => {
      service.kill();
      await ended();
      proxy.closeAllConnections();
      proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
