import { Keyboard, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { type Option, Select } from '@/components/ui/select';
import { AGENCY_TYPES, CATEGORIES, VENDOR_TYPES } from '@/lib/kinds';
import { isFiltered, type Kind, type ListFilters, NO_FILTERS } from '../lists';

const GROUPS: Record<Kind, { label: string; all: string; values: readonly string[] }> = {
  influencer: { label: 'Category', all: 'All categories', values: CATEGORIES },
  agency: { label: 'Type', all: 'All Types', values: AGENCY_TYPES },
  vendor: { label: 'Type', all: 'All Types', values: VENDOR_TYPES },
};

const BADGE_OPTIONS: Option[] = [
  { value: '', label: 'All badges' },
  { value: 'none', label: 'No badge' },
  { value: 'blue', label: 'Blue' },
  { value: 'gold', label: 'Gold' },
  { value: 'platinum', label: 'Platinum' },
];

const SORT_OPTIONS: Option[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'By name' },
];

export function ListToolbar(props: {
  kind: Kind;
  filters: ListFilters;
  change: (part: Partial<ListFilters>) => void;
  set: (filters: ListFilters) => void;
  settle: () => void;
  onHelp: () => void;
}) {
  const { kind, filters, change } = props;
  const group = GROUPS[kind];
  const options = [{ value: '', label: group.all }, ...group.values.map((name) => ({ value: name, label: name }))];
  return (
    <search className="grid gap-2.5 *:min-w-0 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_170px_150px_160px_auto]">
      <SearchBox
        label="Search accounts"
        placeholder={kind === 'influencer' ? 'Name, username or e-mail' : 'Name, company or e-mail'}
        value={filters.q}
        onChange={(q) => change({ q })}
        onEnter={props.settle}
      />
      <Choice
        label={group.label}
        value={filters.group}
        options={options}
        onChange={(next) => change({ group: next })}
      />
      <Choice label="Badge" value={filters.badge} options={BADGE_OPTIONS} onChange={(badge) => change({ badge })} />
      <Choice
        label="Order"
        value={filters.sort}
        options={SORT_OPTIONS}
        onChange={(sort) => change({ sort: sort as ListFilters['sort'] })}
      />
      <div className="flex items-center gap-2">
        <Button
          variant="outline"
          disabled={!isFiltered(filters) && filters.sort === NO_FILTERS.sort}
          onClick={() => props.set(NO_FILTERS)}
        >
          <RotateCcw aria-hidden="true" />
          Reset
        </Button>
        <IconButton aria-label="Keyboard shortcuts" onClick={props.onHelp}>
          <Keyboard aria-hidden="true" />
        </IconButton>
      </div>
    </search>
  );
}

export function Choice(props: { label: string; value: string; options: Option[]; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div>
      <label className="sr-only" htmlFor={id}>
        {props.label}
      </label>
      <Select id={id} value={props.value} options={props.options} onChange={props.onChange} />
    </div>
  );
}
