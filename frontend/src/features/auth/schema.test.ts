import { expect, it } from 'vitest';
import { firstFault } from './schema';

it('shows the first broken rule only', () => {
  expect(firstFault({ email: 'x', password: '1' })).toEqual({ field: 'email', message: 'Invalid email address' });
  expect(firstFault({ email: '', password: '' })).toEqual({ field: 'email', message: 'Invalid email address' });
  expect(firstFault({ email: 'a@b.my', password: '12345' })).toEqual({
    field: 'password',
    message: 'Password must be at least 6 characters',
  });
  expect(firstFault({ email: 'a@b.my', password: '123456' })).toBeUndefined();
});
