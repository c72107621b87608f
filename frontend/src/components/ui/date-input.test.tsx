import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { fill, openPart, user } from '@/testing/render';
import { DateInput } from './date-input';

function Example() {
  const [day, setDay] = useState('2026-11-25');
  return (
    <>
      <DateInput label="From" value={day} onChange={setDay} />
      <output>{day || 'none'}</output>
    </>
  );
}

it('shows dates as people write them, and accepts other spellings', async () => {
  openPart(<Example />);
  const field = screen.getByLabelText('From');
  expect(field).toHaveValue('25 Nov 2026');
  const day = screen.getByRole('status');
  for (const [typed, iso] of [
    ['3/4/2026', '2026-04-03'],
    ['3 April 2025', '2025-04-03'],
    ['2024-02-29', '2024-02-29'],
    ['', 'none'],
  ] as const) {
    await fill(field, typed);
    expect(day, typed).toHaveTextContent(iso);
  }
});

it('offers a calendar', async () => {
  openPart(<Example />);
  await user.click(screen.getByRole('button', { name: 'From: choose a day' }));
  await user.click(await screen.findByRole('button', { name: /November 12th, 2026/ }));
  expect(screen.getByLabelText('From')).toHaveValue('12 Nov 2026');
});
