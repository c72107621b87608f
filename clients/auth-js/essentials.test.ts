// The common flows with an unmodified auth-js, including the mails.

import { expect, test } from 'vitest';
import { somebodyNew } from '../../frontend/e2e/people';
import { client, operator, PASSWORD } from './clients';
import { followed, mailTo, parameter } from './mails';

test('a vendor confirms by code and signs in', async () => {
  const { email } = somebodyNew();
  const auth = client();
  const options = { data: { user_type: 'vendor' } };

  const signUp = await auth.signUp({ email, password: PASSWORD, options });
  expect(signUp.error).toBeNull();
  expect(signUp.data.session).toBeNull();
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('email_not_confirmed');
  const mail = await mailTo(email, 'confirmation');
  const wrong = await auth.verifyOtp({ email, token: '000000x', type: 'signup' });
  expect(wrong.error?.message).toBe('Token has expired or is invalid');
  const confirmed = await auth.verifyOtp({ email, token: mail.code ?? '', type: 'signup' });
  expect(confirmed.error).toBeNull();
  expect(confirmed.data.session?.user.email_confirmed_at).toBeTruthy();
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();

  const known = await client().signUp({ email, password: PASSWORD, options });
  expect(known.error).toBeNull();
  expect(known.data.user?.identities).toEqual([]);
});

test('a forgotten password is reset with a code', async () => {
  const { email } = somebodyNew();
  const auth = client();
  await auth.signUp({ email, password: PASSWORD, options: { data: { user_type: 'influencer' } } });
  await auth.signOut();

  expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
  expect((await auth.resetPasswordForEmail(email)).error?.code).toBe('over_email_send_rate_limit');
  const mail = await mailTo(email, 'recovery');
  expect((await auth.verifyOtp({ email, token: mail.code ?? '', type: 'recovery' })).error).toBeNull();
  expect((await auth.updateUser({ password: 'another battery' })).error).toBeNull();
  expect((await auth.updateUser({ password: 'another battery' })).error?.code).toBe('same_password');

  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials');
  expect((await auth.signInWithPassword({ email, password: 'another battery' })).error).toBeNull();
});

test("PKCE: only the client that asked can exchange the link's code", async () => {
  const { email } = somebodyNew();
  await client().signUp({ email, password: PASSWORD, options: { data: { user_type: 'agency' } } });
  const auth = client({ flowType: 'pkce' });
  expect((await auth.signInWithOtp({ email })).error).toBeNull();

  const place = await followed(await mailTo(email, 'magic_link'));
  const code = place.searchParams.get('code') ?? '';

  expect(place.hash).toBe('');
  expect((await client({ flowType: 'pkce' }).exchangeCodeForSession(code)).error).not.toBeNull();
  const exchanged = await auth.exchangeCodeForSession(code);
  expect(exchanged.error).toBeNull();
  expect(exchanged.data.session?.user.email).toBe(email);
  expect((await auth.getUser()).data.user?.email).toBe(email);
});

test('a new address is confirmed from both addresses', async () => {
  const [old, next] = [somebodyNew().email, `next-${somebodyNew().email}`];
  const auth = client();
  await auth.signUp({ email: old, password: PASSWORD, options: { data: { user_type: 'influencer' } } });

  const asked = await auth.updateUser({ email: next });
  expect(asked.error).toBeNull();
  expect([asked.data.user?.email, asked.data.user?.new_email]).toEqual([old, next]);
  const half = await followed(await mailTo(old, 'email_change'));
  expect(half.hash).toContain('message=Confirmation+link+accepted');
  const mail = await mailTo(next, 'email_change');
  const token_hash = parameter(mail, 'token_hash');
  expect((await auth.verifyOtp({ token_hash, type: 'email_change' })).error).toBeNull();

  expect((await auth.getUser()).data.user?.email).toBe(next);
});

test('an operator creates, lists, changes, links, deletes and invites users', async () => {
  const { email } = somebodyNew();
  const admin = operator();

  const made = await admin.createUser({ email, password: PASSWORD, email_confirm: true, user_metadata: { a: 1 } });
  expect(made.error).toBeNull();
  const id = made.data.user?.id ?? '';
  expect((await admin.getUserById(id)).data.user?.email).toBe(email);
  const changed = await admin.updateUserById(id, { user_metadata: { b: 2 }, app_metadata: { plan: 'pro' } });
  expect(changed.data.user?.user_metadata).toMatchObject({ a: 1, b: 2 });
  const page = await admin.listUsers({ page: 1, perPage: 1 });
  expect(page.error).toBeNull();
  expect(page.data.users).toHaveLength(1);
  expect(page.data).toMatchObject({ nextPage: 2, total: expect.any(Number), lastPage: expect.any(Number) });
  const link = await admin.generateLink({ type: 'magiclink', email });
  const token_hash = link.data.properties?.hashed_token ?? '';
  const auth = client();
  expect((await auth.verifyOtp({ token_hash, type: 'magiclink' })).data.user?.id).toBe(id);
  expect((await admin.deleteUser(id)).error).toBeNull();
  expect((await admin.getUserById(id)).error?.code).toBe('user_not_found');

  const guest = somebodyNew().email;
  const invited = await admin.inviteUserByEmail(guest, { data: { user_type: 'vendor' } });
  expect(invited.data.user?.invited_at).toBeTruthy();
  const mail = await mailTo(guest, 'invite');
  const accepted = await auth.verifyOtp({ token_hash: parameter(mail, 'token_hash'), type: 'invite' });
  expect(accepted.error).toBeNull();
  expect((await auth.updateUser({ password: PASSWORD })).error).toBeNull();
});
