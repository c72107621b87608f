// The responses to the first view's requests, which the server embeds in the document as the gateway returns them to a
// visitor.
import { mayBeSignedIn } from './stored-session';

/** A request without the caller's credentials: the server sends it as a visitor. */
export interface FirstRequest {
  /** The path and query. */
  url: string;
  headers: Record<string, string>;
}

interface FirstAnswer extends FirstRequest {
  status: number;
  /** The Content-Range header. */
  range: string | null;
  body: unknown;
}

const CALLER_HEADERS = ['apikey', 'authorization', 'x-client-info'];

export function asFirstRequest(url: string, headers: Headers): FirstRequest {
  const { pathname, search } = new URL(url);
  return {
    url: pathname + search,
    headers: Object.fromEntries([...headers].filter(([name]) => !CALLER_HEADERS.includes(name))),
  };
}

let left: FirstAnswer[] | undefined;

/** Returns the embedded response to a request. Each is used once, and only on the page it came with. */
export function takeFirstAnswer(url: string, method: string, headers: Headers): Response | undefined {
  left ??= embeddedAnswers();
  // After signing in or navigating to another page, everything is requested again.
  if (left.length > 0 && (mayBeSignedIn() || window.location.pathname !== pathOf(visit()?.name))) left = [];
  if (left.length === 0 || method !== 'GET') return undefined;
  const wanted = asFirstRequest(url, headers);
  const answer = left.find((other) => sameRequest(other, wanted));
  if (!answer) return undefined;
  left = left.filter((other) => other !== answer);
  const { status, range, body } = answer;
  return Response.json(body, { status, headers: range ? { 'content-range': range } : {} });
}

function embeddedAnswers(): FirstAnswer[] {
  if (typeof document === 'undefined') return [];
  const block = document.getElementById('first-answers');
  block?.remove();
  // Back may restore a document that is long out of date.
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
