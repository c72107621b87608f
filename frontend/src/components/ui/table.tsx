import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { cardVariants } from './card';

// On phones each row becomes a block, and each cell shows its column's name in front.

/** The card around a table. At 200 % text size the table may grow instead of cutting off its rows. */
export function TableCard({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="table"
      className={cardVariants({
        className: clsx(
          'overflow-x-auto overflow-y-hidden transition-opacity duration-(--dur-2) aria-busy:opacity-55',
          className,
        ),
      })}
      {...props}
    />
  );
}

export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <table
      className={clsx(
        'w-full border-collapse text-[15px] max-sm:block max-sm:*:block max-sm:[&_thead]:hidden',
        className,
      )}
      {...props}
    />
  );
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      className={clsx(
        'relative in-[tbody]:hover:bg-muted/45 max-sm:border-border max-sm:border-b max-sm:p-4 sm:*:border-border sm:*:border-b',
        'sm:in-[tbody:last-of-type]:last:*:border-b-0',
        'outline-ring has-[a[data-row]:focus-visible]:outline-3 has-[a[data-row]:focus-visible]:-outline-offset-3',
        className ?? 'max-sm:block',
      )}
      {...props}
    />
  );
}

export function TableHead({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={clsx(
        'whitespace-nowrap px-4 py-3 text-left font-semibold text-[13px] text-muted-foreground',
        className,
      )}
      {...props}
    />
  );
}

interface CellProps extends ComponentProps<'td'> {
  /** The column's name, shown before the value on phones. */
  label?: string;
}

export function TableCell({ label, className, ...props }: CellProps) {
  return (
    <td
      data-l={label}
      className={clsx(
        'px-4 py-3 align-middle max-sm:block max-sm:px-0 max-sm:py-1',
        label &&
          'max-sm:flex max-sm:justify-between max-sm:gap-3 max-sm:before:text-muted-foreground max-sm:before:text-sm max-sm:before:content-[attr(data-l)]',
        className,
      )}
      {...props}
    />
  );
}
