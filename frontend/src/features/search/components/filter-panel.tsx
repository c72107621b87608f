import { MapPin } from 'lucide-react';
import { Slider } from 'radix-ui';
import { useEffect, useId, useState } from 'react';
import { PlatformIcon } from '@/components/platform-icon';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { VerificationBadge } from '@/components/verification-badge';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/followers';
import { LANGUAGES } from '@/lib/languages';
import {
  AGE_RANGE,
  BADGES,
  ETHNICITIES,
  type Filters,
  FOLLOWER_RANGE,
  FOLLOWER_STEP,
  INDUSTRIES,
  rangeLabel,
} from '../filters';

type Change = (part: Partial<Filters>) => void;

/** Every filter of the search, in the order brands use them. */
export function FilterPanel({ filters, change }: { filters: Filters; change: Change }) {
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
        <fieldset>
          <legend className="lab">Platform</legend>
          <div className="ph-tabs" style={{ marginTop: 10 }}>
            {PLATFORMS.map((platform) => (
              <button
                key={platform}
                type="button"
                className={platform === filters.platform ? 'on' : ''}
                aria-label={PLATFORM_NAMES[platform]}
                aria-pressed={platform === filters.platform}
                onClick={() => change({ platform })}
              >
                <PlatformIcon platform={platform} />
              </button>
            ))}
          </div>
        </fieldset>
        <RangeSlider
          label={`${PLATFORM_NAMES[filters.platform]} ${filters.platform === 'youtube' ? 'subscribers' : 'followers'}`}
          range={FOLLOWER_RANGE}
          step={FOLLOWER_STEP}
          value={filters.followers}
          show={rangeLabel}
          onChange={(followers) => change({ followers })}
        />
      </div>
      <div className="grp">
        <RangeSlider
          label="Age"
          range={AGE_RANGE}
          step={1}
          value={filters.age}
          show={([low, high]) => `${low} – ${high}`}
          onChange={(age) => change({ age })}
        />
      </div>
      <div className="grp">
        <LocationField value={filters.location} onChange={(location) => change({ location })} />
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
      <BadgeChoice value={filters.badge} onChange={(badge) => change({ badge })} />
    </>
  );
}

function Choice(props: {
  label: string;
  all: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Field label={props.label} id={id}>
      <Select
        id={id}
        value={props.value}
        onChange={props.onChange}
        options={[{ value: '', label: props.all }, ...props.options.map((value) => ({ value, label: value }))]}
      />
    </Field>
  );
}

function LocationField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <Field label="Location" id={id}>
      <Input
        id={id}
        icon={MapPin}
        placeholder="City or state"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** Moves at once under the thumb, and asks the server when it is let go. */
function RangeSlider(props: {
  label: string;
  range: readonly [number, number];
  step: number;
  value: readonly [number, number];
  show: (value: readonly [number, number]) => string;
  onChange: (value: readonly [number, number]) => void;
}) {
  const [low, high] = props.value;
  const [value, setValue] = useState<readonly [number, number]>(props.value);
  useEffect(() => setValue([low, high]), [low, high]);
  const pair = (values: number[]): readonly [number, number] => [
    values[0] ?? props.range[0],
    values[1] ?? props.range[1],
  ];
  return (
    <div>
      <div className="row between sm" style={{ marginTop: 6 }}>
        <span className="lab">{props.label}</span>
        <span className="num muted">{props.show(value)}</span>
      </div>
      <Slider.Root
        className="range"
        min={props.range[0]}
        max={props.range[1]}
        step={props.step}
        minStepsBetweenThumbs={0}
        value={[...value]}
        onValueChange={(values) => setValue(pair(values))}
        onValueCommit={(values) => props.onChange(pair(values))}
      >
        <Slider.Track className="range-track">
          <Slider.Range className="range-part" />
        </Slider.Track>
        <Slider.Thumb className="range-thumb" aria-label={`${props.label}, least`} />
        <Slider.Thumb className="range-thumb" aria-label={`${props.label}, most`} />
      </Slider.Root>
    </div>
  );
}

function BadgeChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
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
