import { format } from 'date-fns';
import { Popover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { DayPicker, type PropsBase } from 'react-day-picker';
import { menuVariants } from './menu';
import 'react-day-picker/style.css';

interface CalendarProps extends Pick<ComponentProps<typeof Popover.Content>, 'align' | 'sideOffset'> {
  label: string;
  chosen: Date | undefined;
  /** An ISO date, or '' if the chosen day was chosen again. */
  onChoose: (day: string) => void;
  /** How the calendar is limited and shown. */
  months?: Pick<PropsBase, 'captionLayout' | 'reverseYears' | 'startMonth' | 'endMonth' | 'defaultMonth' | 'disabled'>;
  /** Shown below the calendar. */
  children?: ReactNode;
}

/** The calendar of a date field, inside its `Popover.Root`. */
export function Calendar({ label, chosen, onChoose, months, children, align = 'end', sideOffset = 10 }: CalendarProps) {
  return (
    <Popover.Portal>
      <Popover.Content
        className={menuVariants({ look: 'calendar' })}
        align={align}
        sideOffset={sideOffset}
        collisionPadding={12}
        aria-label={label}
      >
        <DayPicker
          mode="single"
          autoFocus
          defaultMonth={chosen}
          {...months}
          selected={chosen}
          onSelect={(day) => onChoose(day ? format(day, 'yyyy-MM-dd') : '')}
        />
        {children}
      </Popover.Content>
    </Popover.Portal>
  );
}
