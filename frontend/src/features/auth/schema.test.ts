import type { FieldValues, Resolver } from 'react-hook-form';
import { expect, it } from 'vitest';
import { adminCredentials, credentials, firstFault } from './schema';

async function faultsOf<Values extends FieldValues>(resolver: Resolver<Values>, values: Values) {
  const { errors } = await resolver(values, undefined, { fields: {}, shouldUseNativeValidation: false });
  return Object.entries(errors).map(([field, error]) => [field, error?.message]);
}

it('reports only the first error', async () => {
  const rules = firstFault(credentials);
  expect(await faultsOf(rules, { email: 'x', password: '1' })).toEqual([['email', 'Invalid email address']]);
  expect(await faultsOf(rules, { email: '', password: '' })).toEqual([['email', 'Invalid email address']]);
  expect(await faultsOf(rules, { email: 'a@b.my', password: '12345' })).toEqual([
    ['password', 'Password must be at least 6 characters'],
  ]);
  expect(await faultsOf(rules, { email: 'a@b.my', password: '123456' })).toEqual([]);
});

it('trims the e-mail address but not the password', () => {
  expect(credentials.parse({ email: ' a@b.my ', password: ' 1234 ' })).toEqual({ email: 'a@b.my', password: ' 1234 ' });
});

it('requires of admins only what the server needs', async () => {
  const rules = firstFault(adminCredentials);
  expect(await faultsOf(rules, { email: '', password: '' })).toEqual([['email', 'E-mail is required']]);
  expect(await faultsOf(rules, { email: 'root', password: '' })).toEqual([['email', 'Invalid email address']]);
  expect(await faultsOf(rules, { email: 'root@localhost', password: '' })).toEqual([
    ['password', 'Password is required'],
  ]);
  expect(await faultsOf(rules, { email: 'root@localhost', password: '1' })).toEqual([]);
});
