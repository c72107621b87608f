import { useId } from 'react';
import { VerificationBadge } from '@/components/verification-badge';
import { LANGUAGES } from '@/lib/languages';
import { BADGES, ETHNICITIES, INDUSTRIES } from '../options';
import { AgeSlider, Choice, type FieldProps, FollowerSlider, LocationField, PlatformChoice } from './filter-fields';

const GROUP = 'grid gap-2.5 border-t border-border py-4.5';

/** All filters of /search, in the order in which brands use them. */
export function FilterPanel({ filters, change }: FieldProps) {
  return (
    <>
      <div className="grid gap-2.5 py-4.5">
        <Choice
          label="Industry"
          all="All Industries"
          options={INDUSTRIES}
          value={filters.industry}
          onChange={(industry) => change({ industry })}
        />
      </div>
      <div className={GROUP}>
        <PlatformChoice filters={filters} change={change} />
        <FollowerSlider filters={filters} change={change} />
      </div>
      <div className={GROUP}>
        <AgeSlider filters={filters} change={change} />
      </div>
      <div className={GROUP}>
        <LocationField filters={filters} change={change} />
      </div>
      <div className={GROUP}>
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
          options={ETHNICITIES}
          value={filters.ethnicity}
          onChange={(ethnicity) => change({ ethnicity })}
        />
      </div>
      <BadgeRadios value={filters.badge} onChange={(badge) => change({ badge })} />
    </>
  );
}

function BadgeRadios({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const name = useId();
  return (
    <fieldset className="grid gap-2.5 border-border border-t py-4.5">
      <legend className="float-left mb-1 font-semibold text-sm">Badge</legend>
      {['', ...BADGES].map((badge) => (
        <label key={badge} className="flex min-h-8 cursor-pointer items-center gap-2.5 text-[15px]">
          <input
            className="size-5 flex-none appearance-none rounded-full border-[1.5px] border-input checked:border-6 checked:border-primary checked:bg-card"
            type="radio"
            name={name}
            checked={value === badge}
            onChange={() => onChange(badge)}
          />
          <span className="min-w-0 flex-1">{badge || 'Any badge'}</span>
          {badge === 'No Verification' ? null : <VerificationBadge type={badge.toLowerCase() || 'none'} />}
        </label>
      ))}
    </fieldset>
  );
}
