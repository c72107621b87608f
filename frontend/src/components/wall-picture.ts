import { cva } from 'class-variance-authority';

/** A portrait on a wall of tiles, in one of the tiles' shapes. */
export const wallPicture = cva('size-full object-cover object-[50%_22%]', {
  variants: {
    shape: {
      arch: 'rounded-t-[50%]',
      circ: 'rounded-[50%]',
      leafc: 'rounded-tr-[50%] rounded-bl-[50%]',
      leafd: 'rounded-tl-[50%] rounded-br-[50%]',
    },
  },
});
