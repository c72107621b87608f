import { cva, type VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

const look = cva('btn', {
  variants: {
    variant: {
      primary: 'primary',
      accent: 'accent',
      outline: 'outline',
      soft: 'soft',
      softp: 'softp',
      ghost: 'ghost',
      danger: 'danger',
      dangerghost: 'dangerghost',
    },
    size: { small: 's', normal: '', large: 'lg' },
    full: { true: 'full' },
  },
  defaultVariants: { variant: 'primary', size: 'normal' },
});

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof look> {
  /** Renders the child (a link) with the button's style. */
  asChild?: boolean;
  /** Work is in progress: the button is disabled, and its label may change. */
  busy?: boolean;
}

export function Button({ asChild, busy, variant, size, full, className, disabled, children, ...props }: ButtonProps) {
  const classes = clsx(look({ variant, size, full }), className);
  if (asChild) return <Slot.Root className={classes}>{children}</Slot.Root>;
  return (
    <button type="button" className={classes} disabled={disabled || busy} aria-busy={busy} {...props}>
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
