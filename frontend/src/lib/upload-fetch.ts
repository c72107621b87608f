// A fetch that tells how much of the body has gone: only XMLHttpRequest knows. storage-js makes the request and reads
// the answer as with any other fetch.

/** Nothing has moved for so long: the line is dead, though nobody said so. */
const STALLED_AFTER = 30_000;

export const fetchTelling =
  (tell: (share: number) => void): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init?.method ?? 'GET', input instanceof Request ? input.url : String(input));
      new Headers(init?.headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      let patience: ReturnType<typeof setTimeout>;
      const moved = () => {
        clearTimeout(patience);
        patience = setTimeout(() => request.abort(), STALLED_AFTER);
      };
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        moved();
        if (lengthComputable && total > 0) tell(loaded / total);
      };
      request.onload = () => {
        const { status, statusText, responseText } = request;
        const type = request.getResponseHeader('content-type') ?? 'application/json';
        resolve(new Response(responseText, { status, statusText, headers: { 'content-type': type } }));
      };
      request.onerror = () => reject(new TypeError('The upload was cut off.'));
      request.onabort = () => reject(new TypeError('The upload stood still.'));
      request.onloadend = () => clearTimeout(patience);
      moved();
      request.send(init?.body as XMLHttpRequestBodyInit | null | undefined);
    });
