import { StorageApiError, StorageUnknownError } from '@supabase/storage-js';
import { expect, it, vi } from 'vitest';
import { isSessionOver, saveFailure, uploadFailure } from './failure';

const error = (code: string, message = 'The server said no') => ({ code, message });
const upload = (status: number, message = 'The server said no') => new StorageApiError(message, 400, String(status));
const cut = new StorageUnknownError('The upload was interrupted.', undefined);

it.each([
  ['', "The server can't be reached. Your changes are still here: save them again in a moment."],
  ['PGRST002', "The server can't be reached. Your changes are still here: save them again in a moment."],
  ['42501', 'Your account may not save this. Sign in again. If that does not help, ask an admin.'],
  ['53100', "The server can't store changes at the moment. Your changes are still here: save them again later."],
  ['25006', "The server can't store changes at the moment. Your changes are still here: save them again later."],
  ['55P03', 'The server is busy. Your changes are still here: save them again in a moment.'],
  ['23514', 'The server said no'],
])('a save that fails with the code %j', (code, text) => {
  expect(saveFailure(error(code))).toBe(text);
});

it.each([
  [
    upload(403, 'The account has used up its storage quota'),
    "Your storage is full. Remove pictures that you don't need, then save.",
  ],
  [upload(403), 'Your account may not store pictures. Sign in again. If that does not help, ask an admin.'],
  [upload(413), 'A picture can be at most 10 MB.'],
  [upload(507), "The server can't store pictures at the moment. Try again later."],
  [upload(502), 'The server has a problem. Try again in a moment.'],
  [upload(415), 'The server said no'],
  [cut, 'The connection was lost.'],
])('an upload that fails with %o', (failure, text) => {
  expect(uploadFailure(failure)).toBe(text);
});

it('an offline device is named as the reason', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(uploadFailure(cut)).toBe("You're offline.");
  expect(saveFailure(error(''))).toBe("You're offline. Your changes are still here: save them when you're back.");
});

it('only a rejected token ends the session', () => {
  expect(['PGRST301', 'PGRST303', '42501', 'PGRST300'].map((code) => isSessionOver(error(code)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
