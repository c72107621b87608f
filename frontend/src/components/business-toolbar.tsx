import { MapPin, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { inputVariants } from '@/components/ui/input-variants';
import { type BusinessFilters, NO_BUSINESS_FILTERS } from '@/lib/business-filters';
import { SearchBox } from './search-box';
import { Select } from './ui/select';

/** The toolbar above the agency and vendor lists: text, type, location and Reset in one row. */
export function BusinessToolbar(props: {
  /** For example 'agencies'. */
  many: string;
  typeLabel: string;
  types: readonly string[];
  filters: BusinessFilters;
  change: (part: Partial<BusinessFilters>) => void;
  set: (filters: BusinessFilters) => void;
  settle: () => void;
}) {
  const { filters, change } = props;
  const id = useId();
  const search = `Search ${props.many}`;
  return (
    <div className="grid gap-3 *:min-w-0 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_200px_240px_auto]">
      <SearchBox
        label={search}
        placeholder={`${search}...`}
        value={filters.q}
        onChange={(q) => change({ q })}
        onEnter={props.settle}
      />
      <div>
        <label className="sr-only" htmlFor={id}>
          {props.typeLabel}
        </label>
        <Select
          id={id}
          value={filters.type}
          onChange={(type) => change({ type })}
          options={[{ value: '', label: 'All Types' }, ...props.types.map((name) => ({ value: name, label: name }))]}
        />
      </div>
      <div className={inputVariants()}>
        <MapPin aria-hidden="true" />
        <input
          placeholder="Location"
          aria-label="Location"
          maxLength={100}
          autoComplete="off"
          value={filters.location}
          onChange={(event) => change({ location: event.target.value })}
        />
      </div>
      <Button variant="outline" onClick={() => props.set(NO_BUSINESS_FILTERS)}>
        <RotateCcw aria-hidden="true" />
        Reset
      </Button>
    </div>
  );
}
