import { addYears, format, parseISO, startOfYear } from 'date-fns';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Calendar } from '@/components/ui/calendar';
import { describedBy, Field } from '@/components/ui/field';
import { inputVariants } from '@/components/ui/input-variants';

const FIRST_YEAR = new Date(2020, 0, 1);
const YEARS_AHEAD = 20;

/** A date picker that can also be empty. */
export function DateField(props: {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (day: string) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const chosen = props.value ? parseISO(props.value) : undefined;
  const choose = (day: string) => {
    props.onChange(day);
    setOpen(false);
  };
  return (
    <Field id={id} label={props.label} error={props.error}>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger
          id={id}
          className={inputVariants({ select: true, invalid: Boolean(props.error) })}
          aria-describedby={describedBy(id)}
        >
          <span className={chosen ? '' : 'text-muted-foreground'}>
            {chosen ? format(chosen, 'd MMM yyyy') : 'No date'}
          </span>
          <CalendarDays className="size-4.5" aria-hidden="true" />
        </Popover.Trigger>
        <Calendar
          label={props.label}
          align="start"
          sideOffset={6}
          chosen={chosen}
          months={{
            captionLayout: 'dropdown',
            startMonth: FIRST_YEAR,
            endMonth: addYears(startOfYear(new Date()), YEARS_AHEAD),
          }}
          onChoose={choose}
        >
          {chosen ? (
            <Button variant="ghost" size="small" full onClick={() => choose('')}>
              No date
            </Button>
          ) : null}
        </Calendar>
      </Popover.Root>
    </Field>
  );
}
