import { cva } from 'class-variance-authority';

/** On phones a bottom sheet. */
export const dialogOverlay =
  'fixed inset-0 z-50 grid animate-fade items-end justify-items-center bg-overlay sm:items-center sm:p-6';

export const dialogVariants = cva(
  'flex max-h-[94vh] w-full animate-rise flex-col overflow-hidden rounded-t-[24px] bg-card shadow-xl outline-none sm:rounded-[24px]',
  {
    variants: {
      width: {
        narrow: 'max-w-130',
        normal: 'max-w-160',
        wide: 'max-w-205',
        /** The content reaches the edges. */
        flush: 'relative max-w-190',
      },
    },
    defaultVariants: { width: 'normal' },
  },
);

export const dialogBody = cva('grid overflow-y-auto', {
  variants: {
    width: {
      normal: 'gap-4.5 px-6 pt-4.5 pb-5.5',
      wide: 'gap-4.5 px-6 pt-4.5 pb-5.5 max-sm:px-4.5 max-sm:py-4',
      flush: 'pb-7',
    },
  },
});

export const dialogFooter = cva('flex gap-3 border-t border-border px-6 py-4', {
  variants: {
    /** Stacked: for more than two buttons. On phones one below the other, the last one first. */
    stacked: {
      true: 'justify-end max-sm:flex-col-reverse',
      false: 'justify-end max-sm:*:flex-1',
    },
  },
  defaultVariants: { stacked: false },
});
