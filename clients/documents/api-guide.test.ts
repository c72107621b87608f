// Every command and snippet of docs/api.md, run in order with the unmodified Supabase client.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the guide is about this package, and no page loads it
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import ws from 'ws';
import { codeOf } from '../../frontend/e2e/authenticator';
import { demo, PASSWORD, somebodyNew } from '../../frontend/e2e/people';
import { baseURL } from '../server';
import { type Block, blocksOf } from './blocks';
import { MARKETPLACE_AFTER, MARKETPLACE_STATUSES, marketplaceBefore } from './marketplace';
import { type Names, runScript, runShell } from './run';

const IMAGE = new URL('../../db/seed/images/demo/', import.meta.url);
const PASSWORD_OF_THE_GUIDE = 'at least 6 characters';

/** The statuses of the requests that each block makes. */
const STATUSES: Record<string, number[]> = {
  'Connect 3': [],
  'Connect 4': [],
  'Query 1': [200, 200, 206, 200, 200],
  'Query 2': [403, 400],
  'Sign up and sign in 1': [200],
  'Sign up and sign in 2': [200, 200, 200, 204],
  'Sign up and sign in 3': [200],
  'Sign up and sign in 4': [200],
  'Sign up and sign in 5': [200, 200],
  // The client reads the account before it deletes it.
  'Sign up and sign in 6': [200, 200, 200, 200],
  'Upload images 1': [200, 200, 200],
  'Upload images 2': [200],
  'Upload images 4': [200, 200],
  'Add your own tables 3': [201, 200],
  'Add your own tables 5': [200],
  'Call a function 1': [200],
  'Call a function 2': [201],
  'Call a function 3': [200, 200, 200],
  ...MARKETPLACE_STATUSES,
};

const names: Names = {};
let folder: string;
let database: pg.Client;
let developer: pg.Client;
let requests: { status: number; body: string }[] = [];

/** Remembers each response. Node.js before version 22 has no WebSocket, see the guide. */
const recorded: typeof createClient = (url, key, options) => {
  const recordingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    requests.push({ status: response.status, body: await response.clone().text() });
    return response;
  };
  const realtime = { transport: ws as never };
  return createClient(url, key, { realtime, ...options, global: { fetch: recordingFetch } }) as never;
};

const supabase = () => names.supabase as SupabaseClient;
const admin = () => names.admin as SupabaseClient;

async function signIn(email: string, password = PASSWORD) {
  const { data, error } = await supabase().auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  names.user = data.user;
}

const signInAsAuthor = () => signIn(names.email as string, PASSWORD_OF_THE_GUIDE);

/** The preparation for a block, by the block's name. */
const BEFORE: Record<string, () => Promise<unknown>> = {
  'Query 1': async () => {
    await signIn(demo('agency'));
    names.id = '5e7a0002-0000-4000-8000-000000000001';
  },
  'Query 2': () => signIn(demo('pending')),
  'Sign up and sign in 2': async () => {
    Object.assign(names, { email: 'aminah@example.com', password: PASSWORD_OF_THE_GUIDE });
  },
  'Sign up and sign in 3': async () => {
    const service = recorded(baseURL, process.env.SERVICE_ROLE_KEY ?? '', { auth: { persistSession: false } });
    const { data } = await service.auth.admin.generateLink({ type: 'magiclink', email: somebodyNew().email });
    const { hashed_token: hash, verification_type: type } = data.properties ?? {};
    names.location = { search: `?token_hash=${hash}&type=${type}` };
    names.userId = data.user?.id;
  },
  'Sign up and sign in 5': async () => {
    names.code = codeOf((names.app as { totp: { secret: string } }).totp.secret);
  },
  'Sign up and sign in 6': async () => Object.assign(names, { author: names.email, email: somebodyNew().email }),
  'Upload images 1': async () => {
    const { data } = await admin().auth.admin.listUsers({ perPage: 1000 });
    names.created = data.users.find(({ email }) => email === names.email)?.id;
    names.email = names.author;
    await signInAsAuthor();
    const file = await readFile(new URL('banners/ubin-1.webp', IMAGE));
    Object.assign(names, { file: new Blob([file], { type: 'image/webp' }), extension: 'webp' });
  },
  'Upload images 4': signInAsAuthor,
  'Add your own tables 2': () => writeFile(join(folder, 'notes.sql'), block('Add your own tables 1').code),
  'Add your own tables 3': () => schemaHas('notes'),
  'Add your own tables 5': () => schemaHas('rpc/note_count'),
  'Call a function 1': () => signIn(demo('superadmin')),
  'Call a function 2': async () => {
    await signIn(demo('vendor'));
    names.id = '5e7a0002-0000-4000-8000-000000000001';
  },
  'Call a function 3': async () => {
    const { data } = await supabase().from('enquiries').select('id').eq('influencer_id', names.id).eq('state', 'open');
    await signIn(demo('influencer'));
    names.id = data?.[0]?.id;
  },
  ...marketplaceBefore(names, signIn),
};

/** The result that the guide describes for a block. */
const AFTER: Record<string, (declared: Names) => unknown> = {
  'Connect 1': () => undefined,
  'Query 1': ({ data, error }) => {
    expect(error).toBeNull();
    expect(data).not.toHaveLength(0);
  },
  'Query 2': ({ error, all }) => {
    expect(error).toMatchObject({ code: '42501', message: 'column "approved" can be changed by admins only' });
    const rejected = { code: '21000', message: 'UPDATE requires a WHERE clause' };
    expect((all as { error: unknown }).error).toMatchObject(rejected);
  },
  'Upload images 1': ({ error, small }) => {
    expect(error).toBeNull();
    expect(JSON.stringify(small)).toContain('/render/image/');
  },
  'Upload images 4': async ({ data }) => {
    const { signedUrl } = data as { signedUrl: string };
    expect((await fetch(signedUrl)).status).toBe(200);
  },
  'Add your own tables 3': async ({ data }) => {
    expect(data).toMatchObject([{ body: 'Call the agency' }]);
    // Its token is still valid.
    const { id } = names.user as { id: string };
    const ban = (time: string) => database.query(`update auth.users set banned_until = ${time} where id = $1`, [id]);
    await ban("now() + interval '1 hour'");
    const notes = () => supabase().from('notes');
    expect((await notes().select()).data).toEqual([]);
    expect((await notes().insert({ body: 'Late' })).error).toMatchObject({ code: '42501' });
    expect((await notes().update({ body: 'Late' }).eq('user_id', id).select()).data).toEqual([]);
    expect((await notes().delete().eq('user_id', id).select()).data).toEqual([]);
    await ban('null');
  },
  'Add your own tables 5': ({ data }) => expect(data).toBe(1),
  'Call a function 1': async ({ data }) => {
    expect(data).toMatchObject({ user: { email: 'new-admin@example.com' }, role: 'admin' });
    await signIn(demo('admin'));
    const { error } = await supabase().functions.invoke('create-admin', { body: {} });
    expect(error.context.status).toBe(403);
    expect(await error.context.json()).toEqual({ error: 'Only super admins can create admin users' });
  },
  'Call a function 2': ({ data }) => expect(data).toMatchObject({ enquiries: [{ state: 'open' }], remaining: 4 }),
  'Call a function 3': ({ answered, address }) => {
    expect(answered).toMatchObject({ data: { state: 'accepted' } });
    expect(address).toMatchObject({ data: demo('vendor') });
  },
  ...(MARKETPLACE_AFTER as Record<string, (declared: Names) => unknown>),
};

const BLOCKS = blocksOf('docs/api.md');

function block(name: string): Block {
  const found = BLOCKS.find((block) => block.name === name);
  if (!found) throw new Error(`the guide has no block ${name}`);
  return found;
}

/** Waits until the gateway has reloaded its schema. */
async function schemaHas(path: string) {
  await expect.poll(async () => (await fetch(`${baseURL}/rest/v1/${path}`)).status).not.toBe(404);
}

/** The services use the tables meanwhile: PostgreSQL ends one of two that wait for each other. */
async function drop(sql: string, attempts = 5) {
  try {
    await database.query(sql);
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01' || attempts === 1) throw error;
    await drop(sql, attempts - 1);
  }
}

async function removeEverything() {
  const emails = ['aminah@example.com', 'new-admin@example.com'];
  await drop('drop function if exists public.note_count(); drop table if exists public.notes');
  await drop('drop function if exists public.add_member() cascade; drop table if exists public.members');
  await database.query('drop policy if exists "people read their own documents" on storage.objects');
  await database.query('drop policy if exists "people add their own documents" on storage.objects');
  await database.query('delete from auth.users where email = any($1)', [emails]);
  const vendor = `(select id from auth.users where email = '${demo('vendor')}') and created_at > now() - interval '1 hour'`;
  await database.query(`delete from app.collaborations where client_user_id = ${vendor}`);
  await database.query(`delete from app.enquiry_briefs where sender_key = ${vendor.replace('id', 'id::text')}`);
  const service = createClient(baseURL, process.env.SERVICE_ROLE_KEY ?? '', { realtime: { transport: ws as never } });
  await service.storage.emptyBucket('documents');
  await service.storage.deleteBucket('documents');
  for (const id of [names.created, names.userId]) if (id) await service.auth.admin.deleteUser(id as string);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serasi-guide-'));
  database = new pg.Client(process.env.DB_URL);
  await database.connect();
  await removeEverything();
  const settings = await runShell('cargo run -- status --output env', folder);
  for (const line of settings.trim().split('\n')) {
    const [name = '', value] = line.split(/=(.*)/s);
    if (name === 'API_URL' || name === 'ANON_KEY') process.env[name] = value;
    if (name === 'DEVELOPER_DB_URL') developer = new pg.Client(value);
  }
  await developer.connect();
  Object.assign(names, { createClient: recorded, ws });
});

afterAll(async () => {
  await removeEverything();
  await Promise.all([database.end(), developer.end()]);
  await rm(folder, { recursive: true });
});

test('the guide has a block of every kind', () => {
  expect(new Set(BLOCKS.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'sql']));
  const scripts = BLOCKS.filter(({ language }) => language === 'ts').map(({ name }) => name);
  expect(scripts).toEqual(Object.keys(STATUSES));
});

// In the order of the guide, because later blocks use the results of earlier ones.
for (const { name, language, code } of BLOCKS) {
  test(`${name} (${language}) works as written`, async () => {
    await BEFORE[name]?.();
    requests = [];
    if (language === 'sh') {
      await runShell(code, folder);
    } else if (language === 'sql') {
      if (['Upload images 3', 'Run code at sign-up 1'].includes(name)) await database.query(code);
      else if (name !== 'Add your own tables 1') await developer.query(code);
    } else {
      const declared = await runScript(code, names);
      expect(
        requests.map(({ status }) => status),
        JSON.stringify(requests),
      ).toEqual(STATUSES[name]);
      // Another client for the same server would share the stored session.
      Object.assign(names, name === 'Connect 4' ? {} : declared);
      await AFTER[name]?.(declared);
    }
  });
}

test('the types of the schemas are printed', async () => {
  await database.query('create schema guide; create table guide.items (id integer)');
  try {
    const printed = (options: string) => runShell(`cargo run --release -- types ${options}`, folder);
    const both = await printed('--schema public --schema guide');
    for (const [types, ours, own] of [
      [await printed(''), true, false],
      [await printed('--schema guide'), false, true],
      [both, true, true],
    ] as const) {
      expect([types.includes('influencers: {'), types.includes('items: {')]).toEqual([ours, own]);
    }
    const served = 'DATABASE_URL="$DB_URL" PGRST_DB_SCHEMAS=public,guide cargo run --release -- types';
    expect(await runShell(served, folder)).toBe(both);
  } finally {
    await database.query('drop schema guide cascade');
  }
});
