// What happens to typed text and chosen pictures when a save goes wrong, in all three dashboards.
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAgencyPictures } from '@/features/agency-editor/pictures';
import { pendingFile } from '@/features/pictures/pending';
import { usePictures } from '@/features/profile-editor/pictures';
import { useVendorPictures } from '@/features/vendor-editor/pictures';
import { SESSION_KEY } from '@/lib/stored-session';
import { accountAnswers, refused, SOMEBODY, serve, sessionOf, singleRow, unreachable } from '@/testing/backend';
import { button, byRole, fill, openApp, toasts, user } from '@/testing/render';
import { fakeUploads, type Upload } from '@/testing/uploads';

const picture = (name: string) => pendingFile(new Blob([name], { type: 'image/png' }), `${name}.png`);

const PORTALS = [
  {
    role: 'influencer',
    path: '/dashboard',
    signIn: '/auth',
    table: 'influencers',
    field: 'Bio',
    column: 'bio',
    saved: 'Profile saved successfully!',
    failed: 'Failed to save profile',
    kind: 'cover',
    pictureColumn: 'cover_image',
    choose: (name: string) => usePictures.getState().choose('cover', picture(name)),
    pending: () => usePictures.getState().slots.cover.pending,
  },
  {
    role: 'agency',
    path: '/agency-dashboard',
    signIn: '/agency-auth',
    table: 'agencies',
    field: 'Description',
    column: 'description',
    saved: 'Agency profile saved successfully!',
    failed: 'Failed to save agency profile',
    kind: 'logo',
    pictureColumn: 'logo_url',
    choose: (name: string) => useAgencyPictures.getState().choose('logo', picture(name)),
    pending: () => useAgencyPictures.getState().slots.logo.pending,
  },
  {
    role: 'vendor',
    path: '/vendor-dashboard',
    signIn: '/vendor-auth',
    table: 'vendors',
    field: 'Description',
    column: 'description',
    saved: 'Vendor profile saved successfully!',
    failed: 'Failed to save vendor profile',
    kind: 'vendor-logo',
    pictureColumn: 'logo_url',
    choose: (name: string) => useVendorPictures.getState().choose('logo', picture(name)),
    pending: () => useVendorPictures.getState().slots.logo.pending,
  },
];

let online = true;
beforeEach(() => void vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online));
afterEach(() => {
  setOnline(true);
  vi.unstubAllGlobals();
});

function setOnline(now: boolean) {
  online = now;
  act(() => {
    onlineManager.setOnline(now);
    window.dispatchEvent(new Event(now ? 'online' : 'offline'));
  });
}

const TYPED = 'Typed and not saved';
const OLD = '/storage/v1/object/public/images/old.png';
const QUOTA = { statusCode: '403', error: 'QuotaExceeded', message: 'The account has used up its storage quota' };
const toasted = (text: string) => waitFor(() => expect(toasts().join()).toContain(text));
const save = () => user.click(button('Save Profile'));

describe.each(PORTALS)('the $role dashboard', (portal) => {
  const own = { ...SOMEBODY, roles: [portal.role] };
  const field = () => byRole('textbox', portal.field);
  const write = `PATCH /rest/v1/${portal.table}`;

  /** Opens the dashboard and types a text. */
  async function open() {
    const { pictureColumn, table } = portal;
    const named = { name: 'Rimba', username: 'rimba', category: 'Tech', email: own.email };
    const { answers: stored, row } = singleRow(table, { id: 'b1', user_id: own.id, ...named, [pictureColumn]: OLD });
    const answers = { ...accountAnswers(own), ...stored };
    const sent = serve(answers);
    await openApp(portal.path, sessionOf(own));
    await waitFor(() => expect(button('Save Profile')).toBeVisible());
    await fill(field(), TYPED);
    return { answers, row, stored, writes: () => sent.filter(({ method }) => method === 'PATCH') };
  }

  /** Also chooses a picture, saves, and returns its upload. */
  async function openAndUpload() {
    const fake = fakeUploads();
    const opened = await open();
    act(() => portal.choose('new'));
    await save();
    await waitFor(() => expect(fake.uploads).toHaveLength(1));
    return { ...opened, ...fake, upload: fake.uploads[0] as Upload };
  }

  function expectNothingLost() {
    expect(field()).toHaveValue(TYPED);
    expect(button('Save Profile')).toBeEnabled();
    expect(screen.getByText('Unsaved changes')).toBeVisible();
  }

  it('an address that is not proved: a notice, and a button that sends the link', async () => {
    const sent = serve({
      ...accountAnswers(own),
      'GET /rest/v1/rpc/address_proved': () => Response.json(false),
      'POST /auth/v1/resend': () => ({}),
    });
    await openApp(portal.path, sessionOf(own));
    await waitFor(() => expect(button('Send the link')).toBeVisible());
    await user.click(button('Send the link'));
    await waitFor(() => expect(screen.getByText(/^We sent a link to/)).toHaveTextContent(own.email));
    expect(sent.find(({ path }) => path === '/auth/v1/resend')?.body).toMatchObject({
      type: 'signup',
      email: own.email,
    });
  });

  it('offline: says so, and saves nothing later without being asked', async () => {
    const { answers, stored, writes } = await open();
    setOnline(false);
    Object.assign(answers, { [`GET /rest/v1/${portal.table}`]: unreachable });
    expect(screen.getByText("You're offline.")).toBeVisible();
    await save();
    await toasted(`${portal.failed}You're offline. Your changes are still here: save them when you're back.`);
    expectNothingLost();
    setOnline(true);
    Object.assign(answers, stored);
    await waitFor(() => expect(screen.queryByText("You're offline.")).toBeNull());
    expectNothingLost();
    expect(writes()).toEqual([]);
    await save();
    await toasted(portal.saved);
    expect(writes().map(({ body }) => body)).toEqual([{ [portal.column]: TYPED }]);
  });

  it('slow: saves once, however often the button is pressed, and an upload can be canceled', async () => {
    const { upload, uploads, removed, answers, stored, writes } = await openAndUpload();
    act(() => upload.progress(0.5));
    expect(button('Saving... 50%')).toHaveAttribute('aria-busy', 'true');
    await user.click(button('Saving... 50%'));
    await user.click(button('Cancel upload'));
    await toasted('Upload canceledNothing was saved. Your changes are still here.');
    expectNothingLost();
    expect(removed).toEqual([upload.path.replace('/storage/v1/object/images/', '')]);

    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    answers[write] = (request) => slow.then(() => stored[write]?.(request));
    await save();
    await waitFor(() => expect(uploads).toHaveLength(2));
    act(() => uploads[1]?.answer(200, { Key: 'images/new.png' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    await user.click(button(/^Saving/));
    answer();
    await toasted(portal.saved);
    expect(writes()).toHaveLength(1);
  });

  it('expired: asks to sign in again, and brings the text back', async () => {
    const { answers } = await open();
    const signIn = answers['POST /auth/v1/token'];
    answers['POST /auth/v1/token'] = () => refused(400, 'refresh_token_not_found', 'Invalid Refresh Token');
    window.localStorage.setItem(SESSION_KEY, JSON.stringify({ ...sessionOf(own), expires_at: 1, expires_in: -1 }));
    await save();
    await waitFor(() => expect(window.location.pathname).toBe(portal.signIn));
    expect(await screen.findByText('Your changes are kept in this tab. Sign in again to continue.')).toBeVisible();
    Object.assign(answers, { 'POST /auth/v1/token': signIn });
    await fill(screen.getByLabelText('E-mail'), own.email);
    await fill(screen.getByLabelText('Password'), 'serasi-demo');
    await user.click(button('Sign In'));
    await toasted('Your unsaved changes are back');
    expect(field()).toHaveValue(TYPED);
    await save();
    await toasted(portal.saved);
  });

  it('expired: a session that only the server has ended leads to the sign-in, too', async () => {
    const { answers } = await open();
    answers[write] = () => refused(401, 'PGRST301', 'JWSError JWSInvalidSignature');
    await save();
    await waitFor(() => expect(window.location.pathname).toBe(portal.signIn));
    expect(await screen.findByText('Your changes are kept in this tab. Sign in again to continue.')).toBeVisible();
  });

  it('full: saves the rest, keeps the old picture, and says what to do', async () => {
    const { upload, row } = await openAndUpload();
    act(() => upload.answer(400, QUOTA));
    await toasted(`Failed to upload ${portal.kind} imageYour storage is full.`);
    await toasted("Remove pictures that you don't need, then save. The old picture is kept.");
    await toasted(portal.saved);
    expect(row()).toMatchObject({ [portal.column]: TYPED, [portal.pictureColumn]: OLD });
  });

  it.each([
    [403, '42501', 'permission denied', 'Your account may not save this. Sign in again.'],
    [422, '23514', 'The text is too long', 'The text is too long'],
  ])('refused with %i %s: says why, and loses nothing', async (status, code, message, text) => {
    const { answers, stored } = await open();
    answers[write] = () => refused(status, code, message);
    await save();
    await toasted(`${portal.failed}${text}`);
    expectNothingLost();
    Object.assign(answers, stored);
    await save();
    await toasted(portal.saved);
  });

  it('half-uploaded: stores no part of the picture, and Retry uploads it', async () => {
    const { upload, uploads, row, writes } = await openAndUpload();
    act(() => upload.progress(0.4));
    act(() => upload.cut());
    await toasted(`Failed to upload ${portal.kind} imageThe connection was lost. The old picture is kept.`);
    await toasted(portal.saved);
    expect(row()).toMatchObject({ [portal.column]: TYPED, [portal.pictureColumn]: OLD });
    expect(portal.pending()).toBeUndefined();

    await user.click(button('Retry'));
    await waitFor(() => expect(uploads).toHaveLength(2));
    act(() => uploads[1]?.answer(200, { Key: 'images/new.png' }));
    await waitFor(() => expect(writes()).toHaveLength(2));
    const path = uploads[1]?.path.replace('/object/', '/object/public/');
    expect(writes()[1]?.body).toEqual({ [portal.pictureColumn]: expect.stringContaining(path ?? '?') });
    await waitFor(() => expect(portal.pending()).toBeUndefined());
  });
});
