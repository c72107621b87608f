import { cva } from 'class-variance-authority';

/** A round frame for a portrait or a letter. */
export const avatarVariants = cva(
  'grid flex-none grid-cols-[100%] grid-rows-[100%] place-items-center overflow-hidden rounded-full bg-mint font-display leading-none font-bold text-pandan [&_img]:size-full [&_img]:object-cover [&_img]:object-[50%_28%]',
);
