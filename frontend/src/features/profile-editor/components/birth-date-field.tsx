import { format, isValid, parseISO, subYears } from 'date-fns';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { Calendar } from '@/components/ui/calendar';
import { Field } from '@/components/ui/field';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { dayFrom, SHOWN_DAY } from '@/components/ui/typed-day';
import { EARLIEST_BIRTH } from '../choices';
import { ageOf, type ProfileForm } from '../schema';

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(parseISO(text));
const shown = (value: string) => (isDate(value) ? format(parseISO(value), SHOWN_DAY) : value);

/** A date that can be typed, or chosen in a calendar spanning 100 years. Others only see the age. */
export function BirthDateField({ age }: { age: number | null | undefined }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { control, trigger } = useFormContext<ProfileForm>();
  const { field, fieldState } = useController({ control, name: 'date_of_birth' });
  const [typed, setTyped] = useState<string>();
  const today = new Date();
  const hundredYears = subYears(today, 100);
  const earliest = hundredYears > EARLIEST_BIRTH ? hundredYears : EARLIEST_BIRTH;
  const chosen = isDate(field.value) ? parseISO(field.value) : undefined;
  const shownAge = field.value ? chosen && ageOf(field.value, today) : age;
  return (
    <Field
      id={id}
      label="Date of birth"
      hint={
        typeof shownAge === 'number' && shownAge >= 0
          ? `Age ${shownAge}. Only your age is shown.`
          : 'Day, month, year. Only your age is shown.'
      }
      error={fieldState.error?.message}
    >
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Input
          id={id}
          ref={field.ref}
          name={field.name}
          placeholder="14 Mar 1999"
          autoComplete="bday"
          invalid={fieldState.invalid}
          value={typed ?? shown(field.value)}
          onChange={(event) => {
            setTyped(event.target.value);
            // Text that isn't a date stays, so that validation can say so.
            field.onChange(dayFrom(event.target.value) ?? event.target.value);
          }}
          onBlur={() => {
            setTyped(undefined);
            field.onBlur();
            void trigger('date_of_birth');
          }}
          end={
            <Popover.Trigger
              className={iconButtonVariants({ size: 'small', className: '-mr-2' })}
              aria-label="Choose the date of birth"
            >
              <CalendarDays className="size-4.5" aria-hidden="true" />
            </Popover.Trigger>
          }
        />
        <Calendar
          label="Date of birth"
          chosen={chosen}
          months={{
            captionLayout: 'dropdown',
            reverseYears: true,
            startMonth: earliest,
            endMonth: today,
            disabled: { before: earliest, after: today },
            defaultMonth: chosen ?? subYears(today, 25),
          }}
          onChoose={(day) => {
            setTyped(undefined);
            field.onChange(day);
            void trigger('date_of_birth');
            setOpen(false);
          }}
        />
      </Popover.Root>
    </Field>
  );
}
