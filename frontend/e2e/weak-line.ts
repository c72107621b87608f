// A proxy that cuts the connection between browser and server during an upload. Everything else is real: bytes either
// reach the server or stop.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Marks a request head as that of an upload. */
const UPLOAD = 'POST /storage/v1/object/';

export interface WeakLine {
  url: string;
  /** Closes the connection of each upload after this many bytes; without a limit, uploads pass. */
  cutUploadsAfter: (bytes: number | undefined) => void;
  close: () => Promise<void>;
}

export async function weakLine(target: string): Promise<WeakLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let most: number | undefined;

  const server = createServer((browser) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [browser, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        browser.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(browser);
    let uploaded = -1;
    browser.on('data', (bytes) => {
      if (bytes.includes(UPLOAD)) uploaded = 0;
      if (uploaded < 0) {
        upstream.write(bytes);
        return;
      }
      uploaded += bytes.length;
      if (most !== undefined && uploaded > most) {
        browser.destroy();
        return;
      }
      upstream.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutUploadsAfter: (bytes) => {
      most = bytes;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
