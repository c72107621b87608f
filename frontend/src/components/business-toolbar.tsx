import { MapPin, RotateCcw } from 'lucide-react';
import { useId } from 'react';
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
    <div className="tb">
      <SearchBox
        label={search}
        placeholder={`${search}...`}
        value={filters.q}
        onChange={(q) => change({ q })}
        onEnter={props.settle}
      />
      <div>
        <label className="sr" htmlFor={id}>
          {props.typeLabel}
        </label>
        <Select
          id={id}
          value={filters.type}
          onChange={(type) => change({ type })}
          options={[{ value: '', label: 'All Types' }, ...props.types.map((name) => ({ value: name, label: name }))]}
        />
      </div>
      <div className="inp">
        <MapPin className="i" aria-hidden="true" />
        <input
          placeholder="Location"
          aria-label="Location"
          maxLength={100}
          autoComplete="off"
          value={filters.location}
          onChange={(event) => change({ location: event.target.value })}
        />
      </div>
      <button type="button" className="btn outline" onClick={() => props.set(NO_BUSINESS_FILTERS)}>
        <RotateCcw className="i" aria-hidden="true" />
        Reset
      </button>
    </div>
  );
}
