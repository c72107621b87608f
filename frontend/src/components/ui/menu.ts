import { cva } from 'class-variance-authority';

/** The panel of a menu, a select or a calendar. */
export const menuVariants = cva(
  'z-70 min-w-55 rounded-lg bg-popover text-popover-foreground shadow-lg ring ring-border',
  {
    variants: { look: { list: 'p-1.5', calendar: 'calendar p-3.5' } },
    defaultVariants: { look: 'list' },
  },
);

export const menuItemVariants = cva(
  'flex min-h-10.5 cursor-pointer items-center gap-2.5 rounded-[10px] px-3 text-[15px] font-semibold outline-none select-none data-highlighted:bg-secondary',
);
