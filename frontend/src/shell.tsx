// Run by the build, not by browsers: what a page shows a visitor first, as HTML that the server sends along.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import pages from './app/pages.json';
import { AppRoutes } from './app/router';
import { SessionProvider } from './app/session';

/** One sends visitors on to the sign-in, the other tells the site's own address and key. */
const WITHOUT = ['/gigs', '/api'];

/** By the path in pages.json; what is somebody's own has none. */
export async function shells(): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const page of pages) {
    if (!page.private && !WITHOUT.includes(page.path)) all[page.path] = await shell(page.path);
  }
  return all;
}

/** For the eye alone: it takes no key and no press, and is gone at the application's first picture. */
async function shell(path: string): Promise<string> {
  const client = new QueryClient();
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
  // Its half hour of memory would keep the build waiting.
  client.clear();
  if (/<script|<template/.test(html)) throw new Error(`${path} is not ready at its first picture`);
  return html;
}
