import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { NO_FILTERS } from '../filters';
import { AdvancedFilters } from './advanced-filters';
import { ExploreFilters } from './explore-filters';
import { FilterPanel } from './filter-panel';

// Radix scrolls to the chosen option and captures the pointer; happy-dom supports neither.
beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  Element.prototype.hasPointerCapture = vi.fn().mockReturnValue(false);
});

async function optionsOf(label: string): Promise<(string | null)[]> {
  screen.getByRole('combobox', { name: label }).focus();
  await userEvent.keyboard('{Enter}');
  const options = within(screen.getByRole('listbox')).getAllByRole('option');
  const names = options.map((option) => option.textContent);
  await userEvent.keyboard('{Escape}');
  return names;
}

const nothing = () => {};

it('the panel of /search offers its industries, languages, ethnicities and badges', async () => {
  render(<FilterPanel filters={NO_FILTERS} change={nothing} />);
  expect(await optionsOf('Industry')).toEqual(
    [
      'All Industries',
      'Fashion',
      'Beauty',
      'Fitness',
      'Health',
      'Food',
      'Travel',
      'Lifestyle',
      'Tech',
      'Gaming',
    ].concat(['Business', 'Finance', 'Entertainment', 'Education', 'Sports']),
  );
  expect(await optionsOf('Language')).toEqual(
    ['All Languages', 'English', 'Spanish', 'French', 'German', 'Italian', 'Portuguese', 'Chinese', 'Japanese'].concat([
      'Korean',
      'Arabic',
      'Hindi',
      'Russian',
    ]),
  );
  expect(await optionsOf('Ethnicity')).toEqual([
    'All Ethnicities',
    'Asian',
    'Caucasian',
    'Hispanic',
    'African',
    'Indian',
    'Mixed',
    'Other',
  ]);
  expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
    'Any badge',
    'No Verification',
    'Blue',
    'Gold',
    'Platinum',
  ]);
});

it('the panel of /search/influencers offers badges, follower ranges, ethnicities and languages', async () => {
  render(<AdvancedFilters filters={NO_FILTERS} count={0} change={nothing} onClear={nothing} />);
  await userEvent.click(screen.getByRole('button', { name: 'Advanced filters' }));
  expect(await optionsOf('Badge')).toEqual(['Any badge', 'No Verification', 'Blue', 'Gold', 'Platinum']);
  for (const label of ['Instagram followers', 'TikTok followers']) {
    expect(await optionsOf(label)).toEqual([
      'All Ranges',
      '0-5K',
      '5K-20K',
      '20K-100K',
      '100K-500K',
      '500K-1M',
      '1M-5M',
      '5M-10M',
      '10M+',
    ]);
  }
  expect(await optionsOf('Ethnicity')).toHaveLength(1 + 33);
  expect((await optionsOf('Language'))[0]).toBe('All Languages');
});

it('the panel of /explore offers its industries, 33 ethnicities and the language Other', async () => {
  render(<ExploreFilters filters={NO_FILTERS} count={0} onApply={nothing} />);
  await userEvent.click(screen.getByRole('button', { name: 'Filters' }));
  expect(await optionsOf('Industry')).toEqual(
    ['All Industries', 'Fashion', 'Beauty', 'Tech', 'Gaming', 'Lifestyle', 'Travel', 'Fitness', 'Food'].concat([
      'Business',
      'Entertainment',
      'Education',
      'Sports',
    ]),
  );
  const ethnicities = await optionsOf('Ethnicity');
  expect(ethnicities.slice(0, 4)).toEqual(['All Ethnicities', 'Malay', 'Chinese', 'Indian']);
  expect(ethnicities).toHaveLength(1 + 33);
  expect((await optionsOf('Language')).at(-1)).toBe('Other');
});
