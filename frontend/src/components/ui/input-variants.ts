import { cva } from 'class-variance-authority';

/** The frame of a text field or a select. The field inside has no style of its own. */
export const inputVariants = cva(
  [
    'flex w-full min-w-0 items-center gap-2.5',
    '[&_input]:w-full [&_input]:min-w-0 [&_input]:outline-none [&_input]:placeholder:opacity-100',
    // ClearButton does this in every browser.
    '[&_input::-webkit-search-cancel-button]:hidden',
    // Browsers treat every focus of a text field as visible, the mouse's too.
    'outline-ring outline-offset-2 in-data-keyboard:has-[:focus-visible]:outline-3',
  ],
  {
    variants: {
      look: {
        card: 'bg-card [&_input]:placeholder:text-muted-foreground [&_svg]:text-muted-foreground',
        /** On the footer's panel. */
        footer: 'border-[1.5px] border-[#7fa595] text-white [&_input]:placeholder:text-footer-muted',
      },
      size: {
        normal: 'h-11.5 rounded-md px-3.5 text-[15.5px]',
        large: 'h-13.5 rounded-[14px] px-3.5 text-[17px]',
        pill: 'h-12 rounded-full pr-4.5 pl-3.5 text-[15.5px]',
        /** In the header. */
        header: 'h-11 rounded-full pr-4.5 pl-3.5 text-[15.5px]',
        footer: 'h-12.5 rounded-md pr-1 pl-3.5 text-[15.5px]',
        area: 'resize-y rounded-md px-3.5 py-3 text-[15.5px] leading-normal placeholder:text-muted-foreground placeholder:opacity-100',
      },
      invalid: { true: 'border-2 border-destructive', false: '' },
      select: { true: 'justify-between' },
    },
    compoundVariants: [
      { look: 'card', invalid: false, className: 'border-[1.5px] border-input focus-within:border-foreground' },
    ],
    defaultVariants: { look: 'card', size: 'normal', invalid: false },
  },
);
