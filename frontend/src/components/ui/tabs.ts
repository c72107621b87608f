import { cva } from 'class-variance-authority';

/** The looks of Radix's tab lists, and of rows of toggle buttons that look the same. */
export const tabListVariants = cva('[scrollbar-width:none]', {
  variants: {
    look: {
      /** On phones it reaches the screen's edges, so that a cut-off tab shows that the row scrolls. */
      pill: '-m-1 flex gap-2 overflow-x-auto p-1 max-sm:-mx-(--gutter) max-sm:px-(--gutter)',
      line: 'flex gap-1 overflow-x-auto border-b-[1.5px] border-border',
      segment: 'inline-flex max-w-full gap-1 rounded-[14px] bg-secondary p-1',
      /** A segmented control as wide as its form. */
      halves: 'grid grid-cols-2 gap-1 rounded-[14px] bg-secondary p-1',
      /** A row on phones and tablets, a column on wide screens. */
      side: 'flex -mx-(--gutter) gap-1.5 overflow-x-auto px-(--gutter) lg:sticky lg:top-6 lg:mx-0 lg:flex-col lg:self-start lg:overflow-visible lg:px-0',
    },
  },
});

export const tabVariants = cva('font-semibold', {
  variants: {
    look: {
      pill: [
        'inline-flex h-11 flex-none items-center gap-2 rounded-full bg-card px-4.5 text-[15px] whitespace-nowrap max-sm:px-4 inset-ring-[1.5px] inset-ring-border',
        'hover:inset-ring-input disabled:cursor-default disabled:opacity-45 [&_svg]:size-4.5',
        'data-[state=active]:bg-foreground data-[state=active]:text-background data-[state=active]:inset-ring-0',
      ],
      line: [
        'relative inline-flex h-12 flex-none items-center gap-2 px-3.5 text-[15px] whitespace-nowrap text-muted-foreground focus-visible:-outline-offset-3',
        'data-[state=active]:text-foreground data-[state=active]:after:absolute data-[state=active]:after:inset-x-3.5 data-[state=active]:after:bottom-0',
        'data-[state=active]:after:h-0.75 data-[state=active]:after:rounded-t-[3px] data-[state=active]:after:bg-accent',
      ],
      segment: [
        'inline-flex h-10 items-center justify-center rounded-[10px] px-5 text-[15px] text-muted-foreground max-[360px]:px-2.5 max-[360px]:text-[14px]',
        'data-[state=active]:bg-card data-[state=active]:text-foreground data-[state=active]:shadow-sm',
      ],
      side: [
        'flex h-11.5 flex-none items-center gap-3 rounded-md px-4 text-[15px] whitespace-nowrap text-muted-foreground hover:bg-secondary',
        'data-[state=active]:bg-foreground data-[state=active]:text-background',
      ],
    },
  },
});
