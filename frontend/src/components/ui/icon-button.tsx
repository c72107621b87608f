import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

export const iconButtonVariants = cva('inline-grid flex-none place-items-center rounded-full', {
  variants: {
    variant: {
      ghost: 'hover:bg-secondary',
      line: 'inset-ring-[1.5px] inset-ring-border hover:bg-secondary',
      danger: 'text-destructive hover:bg-secondary',
      /** On a photo, which may be of any color. */
      photo: 'bg-white text-ink shadow-photo ring ring-ink/14',
      /** On a brand panel. */
      panel: 'inset-ring-[1.5px] inset-ring-white/45 hover:bg-white/12',
      /** Its own colors and size. */
      bare: '',
    },
    size: { small: 'size-9', normal: 'size-11', own: '' },
  },
  defaultVariants: { variant: 'ghost', size: 'normal' },
});

interface IconButtonProps extends ComponentProps<'button'>, VariantProps<typeof iconButtonVariants> {}

/** A round button with an icon. It needs an `aria-label`. */
export function IconButton({ variant, size, className, ...props }: IconButtonProps) {
  return <button type="button" className={iconButtonVariants({ variant, size, className })} {...props} />;
}
