import { cva } from 'class-variance-authority';

/** One of a few options that are all visible. */
export const choiceVariants = cva(
  'rounded-lg has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ring',
  {
    variants: {
      /** A tile has an icon above its name; a row has a radio button, a name and an explanation. */
      look: {
        tile: 'grid min-w-0 justify-items-center text-center',
        row: 'group relative flex items-start gap-3.5 p-4',
      },
      chosen: {
        true: 'bg-primary-soft inset-ring-[2.5px] inset-ring-primary',
        false: 'inset-ring-[1.5px] inset-ring-border',
      },
    },
  },
);
