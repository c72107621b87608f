import { format, parseISO, subYears } from 'date-fns';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { useController, useFormContext } from 'react-hook-form';
import { describedBy, Field } from '@/components/ui/field';
import { EARLIEST_BIRTH } from '../choices';
import { ageOf, type ProfileForm } from '../schema';
import 'react-day-picker/style.css';

/** A calendar that spans a hundred years back; only the age is shown to others. */
export function BirthDateField({ age }: { age: number | null | undefined }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { control } = useFormContext<ProfileForm>();
  const { field } = useController({ control, name: 'date_of_birth' });
  const today = new Date();
  const hundredYears = subYears(today, 100);
  const earliest = hundredYears > EARLIEST_BIRTH ? hundredYears : EARLIEST_BIRTH;
  const chosen = field.value ? parseISO(field.value) : undefined;
  const shownAge = ageOf(field.value, today) ?? age;
  return (
    <Field
      id={id}
      label="Date of birth"
      hint={shownAge ? `Age ${shownAge}. Only your age is shown.` : 'Only your age is shown.'}
    >
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger id={id} className="inp sel" aria-describedby={describedBy(id)}>
          <span className={chosen ? '' : 'muted'}>{chosen ? format(chosen, 'd MMM yyyy') : 'Choose a date'}</span>
          <CalendarDays className="i i18" aria-hidden="true" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="menu calendar" align="start" sideOffset={6} collisionPadding={12}>
            <DayPicker
              mode="single"
              autoFocus
              captionLayout="dropdown"
              reverseYears
              startMonth={earliest}
              endMonth={today}
              disabled={{ before: earliest, after: today }}
              defaultMonth={chosen ?? subYears(today, 25)}
              selected={chosen}
              onSelect={(day) => {
                field.onChange(day ? format(day, 'yyyy-MM-dd') : '');
                setOpen(false);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}
