// Every command and example of docs/from-supabase.md, with a database like a Supabase project's, the real pg_dump and
// the unmodified client.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the guide is about this package, and no page loads it
import { createClient, type SupabaseClient, type User } from '@supabase/supabase-js';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import ws from 'ws';
import { blocksOf } from './blocks';
import { PROGRAMS, type Project, project } from './project';
import { type Names, runScript } from './run';

const test = base.skipIf(!process.env.CI && (!process.env.SERASI || !existsSync(PROGRAMS)));

const ALICE = 'a11ce000-0000-4000-8000-000000000001';
const SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';
const BLOCKS = blocksOf('docs/from-supabase.md');
const options = { realtime: { transport: ws as never }, auth: { persistSession: false } };

let source: Project;
let folder: string;
let server: ChildProcess | undefined;
let url = '';
let environment: NodeJS.ProcessEnv;

/** A key as Supabase issued it. */
function key(role: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = part({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role, iat: 1_700_000_000, exp: 2_015_360_000 });
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

const code = (name: string) => BLOCKS.find((block) => block.name === name)?.code ?? '';

/** Runs a block in the folder with the dump, where `serasi` is the program under test. */
async function shell(name: string): Promise<string> {
  const program = spawn('bash', ['-euo', 'pipefail', '-c', code(name)], { cwd: folder, env: environment });
  let said = '';
  program.stdout.on('data', (text) => (said += text));
  program.stderr.on('data', (text) => (said += text));
  const [status] = await once(program, 'close');
  expect(status, said).toBe(0);
  return said;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serasi-from-supabase-'));
  if (!process.env.SERASI || !existsSync(PROGRAMS)) return;
  source = await project();
  await symlink(process.env.SERASI, join(folder, 'serasi'));
  const { DATABASE_URL: _, DB_URL: __, JWT_SECRET: ___, ...rest } = process.env;
  environment = {
    ...rest,
    PATH: [folder, PROGRAMS, process.env.PATH].join(delimiter),
    SUPABASE_DB_URL: source.url,
    SUPABASE_JWT_SECRET: SECRET,
    AUTH_RATE_LIMITS: 'off',
    RUST_LOG: 'error',
  };
  await mkdir(join(folder, 'files/avatars/alice'), { recursive: true });
  await mkdir(join(folder, 'files/documents', ALICE), { recursive: true });
  await writeFile(join(folder, 'files/avatars/alice/face.txt'), 'hello');
  await writeFile(join(folder, 'files/documents', ALICE, 'plan.txt'), 'world');
});

afterAll(async () => {
  if (server?.exitCode === null && server.kill()) await once(server, 'exit');
  await source?.close();
  await rm(folder, { recursive: true, force: true });
});

test('the commands import a project', async () => {
  expect(BLOCKS.map(({ name }) => name)).toEqual([
    'Make the dump 1',
    'Import 1',
    'Import 2',
    'Keep the keys 1',
    'Switch the app 1',
  ]);
  await shell('Make the dump 1');
  const would = await shell('Import 1');
  expect(would).toContain('Would be imported:\n  accounts: 3\n');
  expect(would).toContain('Nothing was changed.');
  const done = await shell('Import 2');
  expect(done).toContain('Imported:\n  accounts: 3\n');
  expect(done).toContain('objects: 2 (10 bytes)');
});

test('the new server accepts the old keys', async () => {
  const command = code('Keep the keys 1').trim();
  server = spawn('bash', ['-c', `exec env ${command} --port 0 --api-only`], { cwd: folder, env: environment });
  let said = '';
  server.stderr?.on('data', (text) => (said += text));
  for await (const text of server.stdout ?? []) {
    said += text;
    url = /^ready (\S+)/m.exec(said)?.[1] ?? '';
    if (url) break;
  }
  expect(url, said).not.toBe('');
  const admin = createClient(url, key('service_role'), options);
  const { data, error } = await admin.auth.admin.listUsers();
  expect(error).toBeNull();
  expect(data.users.map(({ email }) => email).sort()).toEqual([
    'alice@project.test',
    'bob@project.test',
    'carol@project.test',
  ]);
  expect((await admin.from('notes').select('*', { count: 'exact', head: true })).count).toBe(3);
  expect((await admin.storage.listBuckets()).data?.map(({ name }) => name).sort()).toEqual([
    'avatars',
    'documents',
    'images',
  ]);
  const visitor = createClient(url, key('anon'), options);
  expect((await visitor.from('notes').select()).data).toEqual([]);
  expect((await visitor.from('countries').select()).data).toHaveLength(2);
});

test('users sign in with their passwords and see the same rows as before', async () => {
  Object.assign(process.env, { API_URL: url, ANON_KEY: key('anon') });
  const create = (address: string, anon: string) => createClient(address, anon, options);
  const names: Names = { createClient: create, email: 'alice@project.test', password: 'correct horse' };
  const signedIn = await runScript(code('Switch the app 1'), names);
  expect(signedIn.error).toBeNull();
  const supabase = signedIn.supabase as SupabaseClient;
  const user = signedIn.user as User;
  expect(user).toMatchObject({
    id: ALICE,
    email_confirmed_at: '2025-03-04T05:06:07Z',
    user_metadata: { nickname: 'Alice' },
  });

  const { data: notes } = await supabase.from('notes').select('id, body').order('id');
  expect(notes).toEqual([
    { id: 1, body: "first; of two\n\\.\n'quoted'" },
    { id: 2, body: 'second' },
  ]);
  const changed = await supabase.from('notes').update({ body: 'changed' }).eq('id', 2).select('body');
  expect(changed.data).toEqual([{ body: 'changed' }]);
  expect((await supabase.from('notes').update({ body: 'taken' }).eq('id', 3).select()).data).toEqual([]);
  const refused = await supabase.from('notes').insert({ body: 'x', owner: 'b0b00000-0000-4000-8000-000000000002' });
  expect(refused.error?.code).toBe('42501');

  const file = await supabase.storage.from('documents').download(`${ALICE}/plan.txt`);
  expect(await file.data?.text()).toBe('world');
  const { data: picture } = supabase.storage.from('avatars').getPublicUrl('alice/face.txt');
  expect(await (await fetch(picture.publicUrl)).text()).toBe('hello');

  const bob = create(url, key('anon'));
  expect((await bob.auth.signInWithPassword({ email: 'bob@project.test', password: 'wrong' })).error?.code).toBe(
    'invalid_credentials',
  );
  expect(
    (await bob.auth.signInWithPassword({ email: 'bob@project.test', password: 'correct horse' })).error,
  ).toBeNull();
  expect((await bob.storage.from('documents').download(`${ALICE}/plan.txt`)).error).not.toBeNull();
  expect((await bob.from('notes').select('body')).data).toEqual([{ body: 'of Bob' }]);
});
