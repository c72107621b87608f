import { RotateCcw, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { HoverPanel } from '@/components/hover-panel';
import { Button } from '@/components/ui/button';
import { FILTER_ETHNICITIES } from '@/lib/ethnicities';
import { filtersFrom, paramsFrom } from '../address';
import { AGE_RANGE, type Filters, NO_FILTERS } from '../filters';
import { EXPLORE_INDUSTRIES, EXPLORE_LANGUAGES } from '../options';
import {
  AgeSlider,
  BadgeSelect,
  type Change,
  Choice,
  FollowerSlider,
  LocationField,
  PlatformChoice,
} from './filter-fields';

/** The filter panel of /explore: Search applies the choices, Reset clears them. */
export function ExploreFilters(props: { filters: Filters; count: number; onApply: (filters: Filters) => void }) {
  // The search text and the category row are outside the panel, and apply immediately.
  const { q, category } = props.filters;
  const applied = paramsFrom({ ...props.filters, q: '', category: '' }).toString();
  const [draft, setDraft] = useState(props.filters);
  useEffect(() => setDraft(filtersFrom(new URLSearchParams(applied))), [applied]);
  const change: Change = (part) => setDraft((now) => ({ ...now, ...part }));

  return (
    <HoverPanel title="Filters" count={props.count} className="mb-6">
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            // Applying filters always includes an age range, which excludes profiles without an age (specification,
            // section 5).
            props.onApply({ ...draft, q, category, age: draft.age ?? AGE_RANGE });
            close();
          }}
        >
          <div className="grid gap-4.5 *:min-w-0 sm:grid-cols-2 lg:grid-cols-4">
            <Choice
              label="Industry"
              all="All Industries"
              options={EXPLORE_INDUSTRIES}
              value={draft.industry}
              onChange={(industry) => change({ industry })}
            />
            <LocationField filters={draft} change={change} />
            <Choice
              label="Language"
              all="All Languages"
              options={EXPLORE_LANGUAGES}
              value={draft.language}
              onChange={(language) => change({ language })}
            />
            <Choice
              label="Ethnicity"
              all="All Ethnicities"
              options={FILTER_ETHNICITIES}
              value={draft.ethnicity}
              onChange={(ethnicity) => change({ ethnicity })}
            />
            <PlatformChoice filters={draft} change={change} />
            <FollowerSlider filters={draft} change={change} />
            <AgeSlider filters={draft} change={change} />
            <BadgeSelect filters={draft} change={change} />
          </div>
          <div className="mt-5 flex items-center justify-end gap-3">
            <Button
              variant="outline"
              onClick={() => {
                setDraft({ ...NO_FILTERS, q, category });
                props.onApply({ ...NO_FILTERS, q, category });
              }}
            >
              <RotateCcw aria-hidden="true" />
              Reset
            </Button>
            <Button type="submit">
              <Search aria-hidden="true" />
              Search
            </Button>
          </div>
        </form>
      )}
    </HoverPanel>
  );
}
