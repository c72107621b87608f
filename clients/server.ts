// Requests to the running server, with fetch.
import type { Api, ApiOptions, ApiResponse } from '../frontend/e2e/api';

export const baseURL = process.env.SERVER_URL ?? '';

async function send(method: string, path: string, { headers, data, maxRedirects }: ApiOptions = {}) {
  const json = data && { 'content-type': 'application/json' };
  const response = await fetch(new URL(path, baseURL), {
    method,
    headers: { ...json, ...headers },
    body: data && JSON.stringify(data),
    redirect: maxRedirects === 0 ? 'manual' : 'follow',
  });
  const text = await response.text();
  return {
    ok: () => response.ok,
    status: () => response.status,
    headers: () => Object.fromEntries(response.headers),
    text: async () => text,
    json: async () => JSON.parse(text),
  } satisfies ApiResponse;
}

export const request: Api = {
  get: (path, options) => send('GET', path, options),
  post: (path, options) => send('POST', path, options),
  put: (path, options) => send('PUT', path, options),
  patch: (path, options) => send('PATCH', path, options),
  delete: (path, options) => send('DELETE', path, options),
};
