// auth-js keeps an error's code and message but not its headers, so this wrapper around fetch records Retry-After.

let until = 0;

function secondsIn(header: string | null): number {
  if (!header) return 0;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
}

export async function fetchRecordingRetryAfter(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init);
  if (answer.status === 429 || answer.status === 503) {
    until = Date.now() + (secondsIn(answer.headers.get('retry-after')) || 0) * 1000;
  }
  return answer;
}

/** The remaining seconds of the last Retry-After; undefined if there is none. */
export function secondsToWait(): number | undefined {
  const left = Math.ceil((until - Date.now()) / 1000);
  return left > 0 ? left : undefined;
}
