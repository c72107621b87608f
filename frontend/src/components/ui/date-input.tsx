import { format, isValid, parse, parseISO } from 'date-fns';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type Ref, useId, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { describedBy, FieldError } from './field';
import { iconButtonVariants } from './icon-button';
import { inputVariants } from './input-variants';
import { menuVariants } from './menu';
import 'react-day-picker/style.css';

const SHOWN = 'd MMM yyyy';
/** Date formats used in Malaysia, day first, and ISO dates. */
const FORMATS = [SHOWN, 'd MMMM yyyy', 'd/M/yyyy', 'd-M-yyyy', 'd.M.yyyy', 'yyyy-MM-dd'];

/** Converts typed text to an ISO date. Empty text is no date; undefined means that the text isn't a date. */
function dayFrom(text: string): string | undefined {
  if (!text.trim()) return '';
  for (const pattern of FORMATS) {
    const date = parse(text.trim(), pattern, new Date());
    if (isValid(date) && date.getFullYear() > 999) return format(date, 'yyyy-MM-dd');
  }
  return undefined;
}

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
            value={typed ?? (chosen ? format(chosen, SHOWN) : '')}
            onChange={({ target }) => {
              setTyped(target.value);
              const day = dayFrom(target.value);
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
          <Popover.Portal>
            <Popover.Content
              className={menuVariants({ look: 'calendar' })}
              align="end"
              sideOffset={10}
              collisionPadding={12}
              aria-label={props.label}
            >
              <DayPicker
                mode="single"
                autoFocus
                disabled={[...(first ? [{ before: first }] : []), ...(last ? [{ after: last }] : [])]}
                defaultMonth={chosen ?? last}
                selected={chosen}
                onSelect={(day) => {
                  setTyped(undefined);
                  props.onChange(day ? format(day, 'yyyy-MM-dd') : '');
                  setOpen(false);
                }}
              />
            </Popover.Content>
          </Popover.Portal>
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
