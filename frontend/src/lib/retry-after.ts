// auth-js keeps a refusal's code and text but not its headers: how long to wait is noted on the way.

let until = 0;

function secondsIn(header: string | null): number {
  if (!header) return 0;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
}

export async function fetchNotingWait(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init);
  if (answer.status === 429 || answer.status === 503) {
    until = Date.now() + (secondsIn(answer.headers.get('retry-after')) || 0) * 1000;
  }
  return answer;
}

/** What is left of the wait that the last refusal asked for; nothing when it named none. */
export function secondsToWait(): number | undefined {
  const left = Math.ceil((until - Date.now()) / 1000);
  return left > 0 ? left : undefined;
}
