// A fetch with upload progress, which only XMLHttpRequest reports. storage-js builds the request and reads the response
// as usual.

/** Aborts after this long without progress: the connection is dead, though no error was reported. */
const STALLED_AFTER = 30_000;

export const fetchWithProgress =
  (onProgress: (share: number) => void, signal?: AbortSignal): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init?.method ?? 'GET', input instanceof Request ? input.url : String(input));
      new Headers(init?.headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      const cancel = () => request.abort();
      signal?.addEventListener('abort', cancel);
      let stallTimer: ReturnType<typeof setTimeout>;
      const resetStallTimer = () => {
        clearTimeout(stallTimer);
        stallTimer = setTimeout(() => request.abort(), STALLED_AFTER);
      };
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        resetStallTimer();
        if (lengthComputable && total > 0) onProgress(loaded / total);
      };
      request.onload = () => {
        const { status, statusText, responseText } = request;
        const type = request.getResponseHeader('content-type') ?? 'application/json';
        resolve(new Response(responseText, { status, statusText, headers: { 'content-type': type } }));
      };
      request.onerror = () => reject(new TypeError('The upload was interrupted.'));
      request.onabort = () => reject(signal?.aborted ? signal.reason : new TypeError('The upload timed out.'));
      request.onloadend = () => {
        clearTimeout(stallTimer);
        signal?.removeEventListener('abort', cancel);
      };
      if (signal?.aborted) return reject(signal.reason);
      resetStallTimer();
      request.send(init?.body as XMLHttpRequestBodyInit | null | undefined);
    });
