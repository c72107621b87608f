import { cva } from 'class-variance-authority';

/** A grid of cards: one column on phones, then two, and on wide screens as many as `columns` says. */
export const cardGrid = cva('grid grid-cols-1 gap-6 *:min-w-0 max-sm:gap-3.5 sm:grid-cols-2', {
  variants: {
    columns: {
      three: 'lg:grid-cols-3',
      four: 'lg:grid-cols-3 xl:grid-cols-4',
      /** Three, beside a column of filters. */
      beside: 'xl:grid-cols-3',
    },
    /** Shows the last results while new ones load. */
    waiting: { true: 'opacity-55 transition-opacity duration-(--dur-2)', false: '' },
  },
});
