import { useId } from 'react';
import { VerificationBadge } from '@/components/verification-badge';
import { LANGUAGES } from '@/lib/languages';
import { BADGES, ETHNICITIES, INDUSTRIES } from '../options';
import { AgeSlider, Choice, type FieldProps, FollowerSlider, LocationField, PlatformChoice } from './filter-fields';

/** All filters of /search, in the order in which brands use them. */
export function FilterPanel({ filters, change }: FieldProps) {
  return (
    <>
      <div className="grp" style={{ borderTop: 0 }}>
        <Choice
          label="Industry"
          all="All Industries"
          options={INDUSTRIES}
          value={filters.industry}
          onChange={(industry) => change({ industry })}
        />
      </div>
      <div className="grp">
        <PlatformChoice filters={filters} change={change} />
        <FollowerSlider filters={filters} change={change} />
      </div>
      <div className="grp">
        <AgeSlider filters={filters} change={change} />
      </div>
      <div className="grp">
        <LocationField filters={filters} change={change} />
      </div>
      <div className="grp">
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
    <fieldset className="grp">
      <legend className="lab">Badge</legend>
      {['', ...BADGES].map((badge) => (
        <label key={badge} className="radio">
          <input type="radio" name={name} checked={value === badge} onChange={() => onChange(badge)} />
          <span className="grow">{badge || 'Any badge'}</span>
          {badge === 'No Verification' ? null : <VerificationBadge type={badge.toLowerCase() || 'none'} />}
        </label>
      ))}
    </fieldset>
  );
}
