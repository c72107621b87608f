import { MapPin } from 'lucide-react';
import { Slider } from 'radix-ui';
import { useEffect, useId, useState } from 'react';
import { PlatformIcon } from '@/components/platform-icon';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { type Option, Select } from '@/components/ui/select';
import { slider } from '@/components/ui/slider';
import { shortCount } from '@/lib/followers';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/platforms';
import { ageLabel, rangeLabel } from '../chips';
import { AGE_RANGE, type Filters, FOLLOWER_RANGE, FOLLOWER_STEP, type Range } from '../filters';
import { BADGES } from '../options';

export type Change = (part: Partial<Filters>) => void;

export interface FieldProps {
  filters: Filters;
  change: Change;
}

export function Choice(props: {
  label: string;
  all: string;
  options: readonly string[] | readonly Option[];
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const options = props.options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  );
  return (
    <Field label={props.label} id={id}>
      <Select
        id={id}
        value={props.value}
        onChange={props.onChange}
        options={[{ value: '', label: props.all }, ...options]}
      />
    </Field>
  );
}

export function LocationField({ filters, change }: FieldProps) {
  const id = useId();
  return (
    <Field label="Location" id={id}>
      <Input
        id={id}
        icon={MapPin}
        placeholder="City or state"
        maxLength={100}
        autoComplete="off"
        value={filters.location}
        onChange={(event) => change({ location: event.target.value })}
      />
    </Field>
  );
}

export function BadgeSelect({ filters, change }: FieldProps) {
  return (
    <Choice
      label="Badge"
      all="Any badge"
      options={BADGES}
      value={filters.badge}
      onChange={(badge) => change({ badge })}
    />
  );
}

/** Pressing the selected platform again deselects it; follower counts are then not compared. */
export function PlatformChoice({ filters, change }: FieldProps) {
  return (
    <fieldset>
      <legend className="font-semibold text-sm">Platform</legend>
      <div className="mt-2.5 grid grid-cols-4 gap-1.5">
        {PLATFORMS.map((platform) => {
          const chosen = platform === filters.platform;
          return (
            <button
              key={platform}
              type="button"
              className="inset-ring-[1.5px] inset-ring-border grid h-11 place-items-center rounded-[10px] aria-pressed:inset-ring-0 aria-pressed:bg-foreground aria-pressed:text-background"
              aria-label={PLATFORM_NAMES[platform]}
              aria-pressed={chosen}
              onClick={() => change({ platform: chosen ? '' : platform })}
            >
              <PlatformIcon platform={platform} />
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

export function FollowerSlider({ filters, change }: FieldProps) {
  const { platform } = filters;
  const counted = platform === 'youtube' ? 'subscribers' : 'followers';
  return (
    <RangeSlider
      label={platform ? `${PLATFORM_NAMES[platform]} ${counted}` : 'Followers'}
      range={FOLLOWER_RANGE}
      step={FOLLOWER_STEP}
      value={filters.followers}
      show={platform ? rangeLabel : () => 'Choose a platform'}
      say={shortCount}
      disabled={!platform}
      onChange={(followers) => change({ followers })}
    />
  );
}

export function AgeSlider({ filters, change }: FieldProps) {
  return (
    <RangeSlider
      label="Age"
      range={AGE_RANGE}
      step={1}
      value={filters.age ?? AGE_RANGE}
      show={ageLabel}
      onChange={(age) => change({ age })}
    />
  );
}

/** Moves with the thumb, and updates the filter when it is released. */
function RangeSlider(props: {
  label: string;
  range: Range;
  step: number;
  value: Range;
  show: (value: Range) => string;
  /** Formats a single value for screen readers, if the bare number isn't enough. */
  say?: (value: number) => string;
  disabled?: boolean;
  onChange: (value: Range) => void;
}) {
  const [low, high] = props.value;
  const [value, setValue] = useState<Range>(props.value);
  useEffect(() => setValue([low, high]), [low, high]);
  const pair = (values: number[]): Range => [values[0] ?? props.range[0], values[1] ?? props.range[1]];
  return (
    <div>
      <div className="mt-1.5 flex items-center justify-between gap-3 text-sm max-[360px]:flex-wrap">
        <span className="font-semibold">{props.label}</span>
        <span className="text-muted-foreground tabular-nums">{props.show(value)}</span>
      </div>
      <Slider.Root
        className={slider.root}
        min={props.range[0]}
        max={props.range[1]}
        step={props.step}
        minStepsBetweenThumbs={0}
        disabled={props.disabled ?? false}
        value={[...value]}
        onValueChange={(values) => setValue(pair(values))}
        onValueCommit={(values) => props.onChange(pair(values))}
      >
        <Slider.Track className={slider.track}>
          <Slider.Range className={slider.range} />
        </Slider.Track>
        {(['least', 'most'] as const).map((end, index) => (
          <Slider.Thumb
            key={end}
            className={slider.thumb}
            aria-label={`${props.label}, ${end}`}
            aria-valuetext={props.say?.(value[index] ?? 0)}
          />
        ))}
      </Slider.Root>
    </div>
  );
}
