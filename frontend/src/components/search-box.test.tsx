import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { openPart, user } from '@/testing/render';
import { SearchBox } from './search-box';

function Example() {
  const [text, setText] = useState('sofea');
  return <SearchBox label="Search" placeholder="" value={text} onChange={setText} onEnter={() => {}} />;
}

it('can be emptied with a button, and keeps the focus', async () => {
  openPart(<Example />);
  await user.click(screen.getByRole('button', { name: 'Clear text' }));
  const field = screen.getByRole('searchbox');
  expect(field).toHaveValue('');
  expect(field).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Clear text' })).toBeNull();
});
