import { X } from 'lucide-react';
import { HoverPanel } from '@/components/hover-panel';
import { Button } from '@/components/ui/button';
import { FILTER_ETHNICITIES } from '@/lib/ethnicities';
import { LANGUAGES } from '@/lib/languages';
import { FOLLOWER_RANGES } from '../options';
import { AgeSlider, BadgeSelect, Choice, type FieldProps, LocationField } from './filter-fields';

/** The filter panel of /search/influencers. Changes apply immediately. */
export function AdvancedFilters(props: FieldProps & { count: number; onClear: () => void }) {
  const { filters, change } = props;
  return (
    <HoverPanel
      title="Advanced filters"
      count={props.count}
      action={
        <Button variant="ghost" size="small" onClick={props.onClear}>
          <X aria-hidden="true" />
          Clear
        </Button>
      }
    >
      {() => (
        <div className="grid gap-4.5 *:min-w-0 sm:grid-cols-2 lg:grid-cols-4">
          <LocationField filters={filters} change={change} />
          <Choice
            label="Language"
            all="All Languages"
            options={LANGUAGES}
            value={filters.language}
            onChange={(language) => change({ language })}
          />
          <Choice
            label="Ethnicity"
            all="All Ethnicities"
            options={FILTER_ETHNICITIES}
            value={filters.ethnicity}
            onChange={(ethnicity) => change({ ethnicity })}
          />
          <BadgeSelect filters={filters} change={change} />
          <Choice
            label="Instagram followers"
            all="All Ranges"
            options={FOLLOWER_RANGES}
            value={filters.instagram}
            onChange={(instagram) => change({ instagram })}
          />
          <Choice
            label="TikTok followers"
            all="All Ranges"
            options={FOLLOWER_RANGES}
            value={filters.tiktok}
            onChange={(tiktok) => change({ tiktok })}
          />
          <div className="sm:col-span-2">
            <AgeSlider filters={filters} change={change} />
          </div>
        </div>
      )}
    </HoverPanel>
  );
}
