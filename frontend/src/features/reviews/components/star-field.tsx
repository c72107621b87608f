import { clsx } from 'clsx';
import { Star } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { FieldError, RequiredMark } from '@/components/ui/field';
import { type ReviewForm, STAR_NAMES } from '../schema';

/** One to five stars as radio buttons: arrow keys choose, and screen readers hear the name of each. */
export function StarField() {
  const { register, watch, formState } = useFormContext<ReviewForm>();
  const chosen = Number(watch('rating'));
  const fault = formState.errors.rating?.message;
  return (
    <fieldset className="min-w-0" aria-describedby={fault ? 'rating-error' : undefined}>
      <legend className="font-semibold text-sm">
        Rating
        <RequiredMark />
      </legend>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="-ml-2 flex">
          {STAR_NAMES.map((name, index) => (
            <label
              key={name}
              className="grid size-11 cursor-pointer place-items-center rounded-md has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-ring"
            >
              <input
                type="radio"
                className="sr-only"
                value={String(index + 1)}
                required
                aria-label={`${index + 1} ${index === 0 ? 'star' : 'stars'}, ${name}`}
                {...register('rating')}
              />
              <Star
                className={clsx('size-7.5', index < chosen ? 'fill-kunyit text-kunyit' : 'text-input')}
                aria-hidden="true"
              />
            </label>
          ))}
        </div>
        <span className="text-muted-foreground" aria-hidden="true">
          {STAR_NAMES[chosen - 1] ?? ''}
        </span>
      </div>
      {fault ? (
        <div id="rating-error" className="mt-1.5">
          <FieldError>{fault}</FieldError>
        </div>
      ) : null}
    </fieldset>
  );
}

const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: '', label: 'Not applicable' },
] as const;

export function PaidField() {
  const { register } = useFormContext<ReviewForm>();
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold text-sm">Paid on time?</legend>
      <div className="mt-1 flex flex-wrap gap-x-6">
        {ANSWERS.map(({ value, label }) => (
          <label key={label} className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input type="radio" className="size-5 accent-primary" value={value} {...register('paid')} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
