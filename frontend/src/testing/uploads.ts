// Replaces XMLHttpRequest, which only uploads use: the test decides how each one ends.
import { vi } from 'vitest';

export interface Upload {
  path: string;
  /** Reports that a share of the file, from 0 to 1, has arrived. */
  progress: (share: number) => void;
  answer: (status: number, body: object) => void;
  /** Ends the connection. */
  cut: () => void;
}

/** Returns lists that uploads and removals are added to as they are sent. */
export function fakeUploads() {
  const uploads: Upload[] = [];
  const removed: string[] = [];

  class Request {
    upload: { onprogress?: (event: object) => void } = {};
    status = 200;
    statusText = 'OK';
    responseText = '[]';
    onload = () => {};
    onabort = () => {};
    onerror = () => {};
    onloadend = () => {};
    getResponseHeader = () => 'application/json';
    #method = '';
    #path = '';
    open(method: string, url: string) {
      this.#method = method;
      this.#path = new URL(url).pathname;
    }
    setRequestHeader() {}
    send(body: unknown) {
      if (this.#method === 'DELETE') {
        removed.push(...JSON.parse(String(body)).prefixes);
        this.#end(this.onload);
        return;
      }
      uploads.push({
        path: this.#path,
        progress: (share) => this.upload.onprogress?.({ lengthComputable: true, loaded: share, total: 1 }),
        answer: (status, answer) => {
          this.status = status;
          this.responseText = JSON.stringify(answer);
          this.#end(this.onload);
        },
        cut: () => this.#end(this.onerror),
      });
    }
    abort() {
      this.#end(this.onabort);
    }
    #end(report: () => void) {
      report();
      this.onloadend();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return { uploads, removed };
}
