// Run by the build, not by browsers: prerenders what each page first shows to a visitor, and records the page's API
// requests, so that the server can send the HTML and the responses with the document.
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import { AppRoutes } from './app/router';
import { SessionProvider } from './app/session';
import { asFirstRequest, type FirstRequest } from './lib/first-answers';
import pages from './lib/pages.json';

/** Not prerendered: /gigs redirects visitors to the sign-in page, and /api shows the site's own URL and key. */
const NOT_PRERENDERED = ['/gigs', '/api'];

interface Drawn {
  html: string;
  requests: FirstRequest[];
}

/** Prerenders each page of pages.json that isn't private. */
export async function drawnPages(): Promise<Record<string, Drawn>> {
  const all: Record<string, Drawn> = {};
  for (const page of Object.values(pages)) {
    if (!('private' in page) && !NOT_PRERENDERED.includes(page.path)) all[page.path] = await drawn(page.path);
  }
  return all;
}

interface Fetchable {
  fetch(): Promise<unknown>;
}

/** Collects the queries that a page would run. Disabled queries, which only read the cache, are excluded. */
class RecordingCache extends QueryCache {
  readonly recorded = new Set<Fetchable>();

  override build: QueryCache['build'] = (client, options, state) => {
    const query = super.build(client, options, state);
    // The base class's types don't include the options that observers add.
    if (!('enabled' in options && options.enabled === false)) this.recorded.add(query);
    return query;
  };
}

async function drawn(path: string): Promise<Drawn> {
  const cache = new RecordingCache();
  const client = new QueryClient({ queryCache: cache });
  try {
    return { html: await shell(path, client), requests: await requestsOf([...cache.recorded]) };
  } finally {
    // Otherwise the cache's garbage collection timers would keep the build running for half an hour.
    client.clear();
  }
}

/** Visible but inert: it takes no input, and is replaced by the application's first render. */
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
    // Not streamed: the inline scripts that move streamed parts into place violate the content security policy.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  let html = '';
  for await (const chunk of prelude) html += chunk;
  if (/<script|<template/.test(html)) throw new Error(`${path} is not ready at its first render`);
  return html;
}

/** Runs the page's own query functions with a recording `fetch`. Requests for `:id` contain the encoded placeholder. */
async function requestsOf(queries: Fetchable[]): Promise<FirstRequest[]> {
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
