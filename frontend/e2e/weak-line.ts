// A line between browser and server that is cut in the middle of an upload, as lines are. Nothing is played:
// the bytes go to the real server, or they stop.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A head that says so is an upload's. */
const UPLOAD = 'POST /storage/v1/object/';

export interface WeakLine {
  url: string;
  /** Ends the connection of each upload after so many bytes; none lets them pass. */
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
