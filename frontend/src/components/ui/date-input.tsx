import { format, parseISO } from 'date-fns';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type Ref, useId, useState } from 'react';
import { Calendar } from './calendar';
import { describedBy, FieldError } from './field';
import { iconButtonVariants } from './icon-button';
import { inputVariants } from './input-variants';
import { dayFrom, SHOWN_DAY } from './typed-day';

/** A date that can be typed, or chosen in a calendar. Shown as people write it: 25 Nov 2026. Values are ISO dates. */
export function DateInput(props: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
  onChange: (day: string) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  const asDate = (day: string | undefined) => (day ? parseISO(day) : undefined);
  const chosen = asDate(props.value);
  const [first, last] = [asDate(props.min), asDate(props.max)];
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <div className={inputVariants({ invalid: Boolean(props.error) })}>
        <label htmlFor={id} className="flex-none text-muted-foreground text-sm">
          {props.label}
        </label>
        <Popover.Root open={open} onOpenChange={setOpen}>
          <input
            ref={props.ref}
            id={id}
            aria-invalid={Boolean(props.error)}
            aria-describedby={props.error ? describedBy(id) : undefined}
            placeholder="Any day"
            autoComplete="off"
            value={typed ?? (chosen ? format(chosen, SHOWN_DAY) : '')}
            onChange={({ target }) => {
              setTyped(target.value);
              const day = target.value.trim() ? dayFrom(target.value) : '';
              if (day !== undefined) props.onChange(day);
            }}
            onBlur={() => setTyped(undefined)}
          />
          <Popover.Trigger
            className={iconButtonVariants({ size: 'small', className: '-mr-2' })}
            aria-label={`${props.label}: choose a day`}
          >
            <CalendarDays className="size-4.5" aria-hidden="true" />
          </Popover.Trigger>
          <Calendar
            label={props.label}
            chosen={chosen}
            months={{
              disabled: [...(first ? [{ before: first }] : []), ...(last ? [{ after: last }] : [])],
              defaultMonth: chosen ?? last,
            }}
            onChoose={(day) => {
              setTyped(undefined);
              props.onChange(day);
              setOpen(false);
            }}
          />
        </Popover.Root>
      </div>
      {props.error ? (
        <div id={describedBy(id)}>
          <FieldError>{props.error}</FieldError>
        </div>
      ) : null}
    </div>
  );
}
