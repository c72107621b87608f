// What the document brings along: the answers to the first view's requests, as the gateway gave them to a visitor.
import { mayBeSignedIn } from './stored-session';

/** A request without what belongs to the caller: the server makes it with a visitor's rights. */
export interface FirstRequest {
  /** From the root. */
  url: string;
  headers: Record<string, string>;
}

interface FirstAnswer extends FirstRequest {
  status: number;
  /** The answer's Content-Range. */
  range: string | null;
  body: unknown;
}

const OF_THE_CALLER = ['apikey', 'authorization', 'x-client-info'];

export function asFirstRequest(url: string, headers: Headers): FirstRequest {
  const { pathname, search } = new URL(url);
  return {
    url: pathname + search,
    headers: Object.fromEntries([...headers].filter(([name]) => !OF_THE_CALLER.includes(name))),
  };
}

let left: FirstAnswer[] | undefined;

/** Each answer is given once, to the request that it answers, on the page that it came with. */
export function takeFirstAnswer(url: string, method: string, headers: Headers): Response | undefined {
  left ??= sentAlong();
  // Who signs in, or goes on to another page, asks for everything.
  if (left.length > 0 && (mayBeSignedIn() || window.location.pathname !== pathOf(visit()?.name))) left = [];
  if (left.length === 0 || method !== 'GET') return undefined;
  const wanted = asFirstRequest(url, headers);
  const answer = left.find((other) => sameRequest(other, wanted));
  if (!answer) return undefined;
  left = left.filter((other) => other !== answer);
  const { status, range, body } = answer;
  return Response.json(body, { status, headers: range ? { 'content-range': range } : {} });
}

function sentAlong(): FirstAnswer[] {
  if (typeof document === 'undefined') return [];
  const block = document.getElementById('first-answers');
  block?.remove();
  // Going back may show a document that is long out of date.
  if (!block?.textContent || visit()?.type === 'back_forward') return [];
  return JSON.parse(block.textContent);
}

const visit = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;

const pathOf = (url: string | undefined) => url && new URL(url).pathname;

function sameRequest(one: FirstRequest, other: FirstRequest): boolean {
  const names = Object.keys(one.headers);
  return (
    one.url === other.url &&
    names.length === Object.keys(other.headers).length &&
    names.every((name) => one.headers[name] === other.headers[name])
  );
}
