import { cva } from 'class-variance-authority';

/** A card with a picture above its text. In a row, the picture is beside the text on phones. */
export const mediaCard = cva(
  [
    'group relative flex flex-col rounded-xl bg-card p-2 ring ring-border transition-[box-shadow,translate] duration-(--dur-3) ease-out',
    'hover:-translate-y-0.75 hover:shadow-lg has-[:focus-visible]:ring-3 has-[:focus-visible]:ring-ring',
  ],
  { variants: { row: { true: 'max-sm:flex-row max-sm:gap-1.5' } } },
);

/** The picture's frame. It styles the picture itself, because the server inserts the first ones into the HTML. */
export const mediaFrame = cva(
  [
    'photo-edge relative overflow-hidden rounded-md bg-muted',
    '[&>img]:size-full [&>img]:object-cover [&>img]:transition-transform [&>img]:duration-(--dur-4) [&>img]:ease-out group-hover:[&>img]:scale-[1.035]',
  ],
  {
    variants: {
      row: {
        true: [
          'aspect-[1/1.08] max-sm:aspect-auto max-sm:min-h-39.5 max-sm:w-30.5 max-sm:flex-none max-[360px]:w-26',
          '[&>img]:object-[50%_18%] max-sm:[&>img]:absolute max-sm:[&>img]:inset-0',
        ],
        false: 'aspect-video',
      },
    },
  },
);

export const mediaText = cva('flex min-w-0 flex-1 flex-col gap-0.5 px-2 pb-2', {
  variants: { row: { true: 'pt-3.5 max-sm:pt-1.5 max-sm:pr-1 max-sm:pb-1', false: '' } },
});

export const mediaTitle = cva('flex items-center gap-1.5 text-[19px] tracking-[-0.015em]', {
  variants: { row: { true: 'max-sm:pr-9.5 max-sm:text-[18px]' } },
});

/** The link covers the whole card. */
export const mediaLink = 'truncate after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none';
