import { cva, type VariantProps } from 'class-variance-authority';
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

const rowVariants = cva(
  [
    'relative in-[tbody]:hover:bg-muted/45 max-sm:border-border max-sm:border-b sm:*:border-border sm:*:border-b',
    'sm:in-[tbody:last-of-type]:last:*:border-b-0',
    'outline-ring has-[a[data-row]:focus-visible]:outline-3 has-[a[data-row]:focus-visible]:-outline-offset-3',
  ],
  {
    variants: {
      /** On phones. */
      layout: {
        lines: 'max-sm:block max-sm:p-4',
        /** The first two cells share a line. */
        pair: 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:p-4',
        /** Only a heading. */
        heading: 'max-sm:block',
      },
    },
    defaultVariants: { layout: 'lines' },
  },
);

interface RowProps extends ComponentProps<'tr'>, VariantProps<typeof rowVariants> {}

export function TableRow({ layout, className, ...props }: RowProps) {
  return <tr className={rowVariants({ layout, className })} {...props} />;
}

const headVariants = cva('whitespace-nowrap px-4 font-semibold text-[13px]', {
  variants: {
    /** Above a column, or above a group of rows. */
    of: {
      column: 'py-3 text-muted-foreground',
      group: 'bg-muted/60 py-2.5 text-foreground max-sm:block',
    },
    align: { left: 'text-left', right: 'text-right' },
  },
  defaultVariants: { of: 'column', align: 'left' },
});

interface HeadProps extends Omit<ComponentProps<'th'>, 'align'>, VariantProps<typeof headVariants> {}

export function TableHead({ of, align, className, ...props }: HeadProps) {
  return (
    <th scope={of === 'group' ? 'rowgroup' : 'col'} className={headVariants({ of, align, className })} {...props} />
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
        'px-4 py-3 align-middle max-sm:px-0 max-sm:py-1',
        label
          ? 'max-sm:flex max-sm:justify-between max-sm:gap-3 max-sm:before:flex-none max-sm:before:text-muted-foreground max-sm:before:text-sm max-sm:before:content-[attr(data-l)]'
          : 'max-sm:block',
        className,
      )}
      {...props}
    />
  );
}
