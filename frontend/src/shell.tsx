// Run by the build, not by browsers: what a page shows a visitor first, as HTML that the server sends along, and what
// it asks for, so that the answers come along too.
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import pages from './app/pages.json';
import { AppRoutes } from './app/router';
import { SessionProvider } from './app/session';
import { asFirstRequest, type FirstRequest } from './lib/first-answers';

/** One sends visitors on to the sign-in, the other tells the site's own address and key. */
const WITHOUT = ['/gigs', '/api'];

interface Drawn {
  html: string;
  requests: FirstRequest[];
}

/** By the path in pages.json; what is somebody's own has none. */
export async function drawnPages(): Promise<Record<string, Drawn>> {
  const all: Record<string, Drawn> = {};
  for (const page of pages) {
    if (!page.private && !WITHOUT.includes(page.path)) all[page.path] = await drawn(page.path);
  }
  return all;
}

/** The queries that a page would run: the ones that are only looked at are not among them. */
class AskingCache extends QueryCache {
  readonly asking = new Set<ReturnType<QueryCache['build']>>();

  override build: QueryCache['build'] = (client, options, state) => {
    const query = super.build(client, options, state);
    // The cache's own type knows nothing of what observers add.
    if (!('enabled' in options && options.enabled === false)) this.asking.add(query as never);
    return query;
  };
}

async function drawn(path: string): Promise<Drawn> {
  const cache = new AskingCache();
  const client = new QueryClient({ queryCache: cache });
  try {
    return { html: await shell(path, client), requests: await requestsOf([...cache.asking]) };
  } finally {
    // Its half hour of memory would keep the build waiting.
    client.clear();
  }
}

/** For the eye alone: it takes no key and no press, and is gone at the application's first picture. */
async function shell(path: string, client: QueryClient): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <div className="shell" inert aria-busy="true" aria-disabled="true">
      <QueryClientProvider client={client}>
        <SessionProvider>
          <StaticRouter location={path}>
            <AppRoutes />
          </StaticRouter>
        </SessionProvider>
      </QueryClientProvider>
    </div>,
    // In one piece: scripts that put pieces in their places are not allowed.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  let html = '';
  for await (const chunk of prelude) html += chunk;
  if (/<script|<template/.test(html)) throw new Error(`${path} is not ready at its first picture`);
  return html;
}

/** As the page's own query functions make them; of `:id` they hold the encoded form. */
async function requestsOf(queries: ReturnType<QueryCache['build']>[]): Promise<FirstRequest[]> {
  const requests: FirstRequest[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (url, init) => {
    requests.push(asFirstRequest(String(url), new Headers(init?.headers)));
    return Response.json([]);
  };
  for (const query of queries) await query.fetch();
  globalThis.fetch = fetch;
  return requests;
}
