import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

export const buttonVariants = cva(
  [
    'inline-flex items-center justify-center gap-2 leading-none font-semibold whitespace-nowrap max-[360px]:gap-1.5',
    'transition-[background-color,translate,box-shadow] duration-(--dur-2) active:translate-y-px',
    'disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground disabled:inset-ring-0 [&_svg]:size-4.5',
  ],
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground hover:bg-primary-hover',
        accent: 'bg-accent text-accent-foreground',
        outline: 'bg-card inset-ring-[1.5px] inset-ring-input hover:bg-muted',
        soft: 'bg-secondary text-secondary-foreground',
        card: 'bg-card text-secondary-foreground',
        softp: 'bg-primary-soft text-primary-soft-foreground hover:bg-primary hover:text-primary-foreground',
        ghost: 'hover:bg-secondary',
        danger: 'bg-destructive text-destructive-foreground',
        dangerghost: 'text-destructive',
        /** On a photo, which may be of any color. */
        photo: 'bg-white text-ink shadow-photo ring ring-ink/14',
        /** On a brand panel. */
        panel: 'text-white inset-ring-[1.5px] inset-ring-white/45 hover:bg-white/12',
        coral: 'bg-coral text-accent-foreground',
        /** A toggle, chosen with aria-pressed. */
        choice:
          'inset-ring-[1.5px] inset-ring-input aria-pressed:bg-foreground aria-pressed:text-background aria-pressed:inset-ring-0',
        /** Looks disabled, for a picture of a button. */
        disabled: 'cursor-not-allowed bg-muted text-muted-foreground',
        plain: '',
      },
      size: {
        small: 'h-9 rounded-[10px] px-3.5 text-sm/none max-[360px]:px-2',
        normal: 'h-11 rounded-md px-4.5 text-[15px] max-[360px]:px-3 max-[360px]:text-sm/none',
        large: 'h-13.5 rounded-[14px] px-6.5 text-[17px]',
        /** As high as a large search field. */
        field: 'h-13.5 rounded-[14px] px-4.5 text-[15px] max-[360px]:px-3 max-[360px]:text-sm/none',
        /** A round choice with room for two lines. */
        pill: 'min-h-11 rounded-full px-3.5 text-sm/none',
      },
      full: { true: 'w-full' },
    },
    defaultVariants: { variant: 'primary', size: 'normal' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  /** Renders the child (a link) with the button's style. */
  asChild?: boolean;
  /** Work is in progress: the button is disabled, and its label may change. */
  busy?: boolean;
}

export function Button({ asChild, busy, variant, size, full, className, disabled, children, ...props }: ButtonProps) {
  const classes = buttonVariants({ variant, size, full, className });
  if (asChild) return <Slot.Root className={classes}>{children}</Slot.Root>;
  return (
    <button type="button" className={classes} disabled={disabled || busy} aria-busy={busy} {...props}>
      {busy ? (
        <span
          className="size-4 animate-turn rounded-full border-2 border-current border-r-transparent"
          aria-hidden="true"
        />
      ) : null}
      {children}
    </button>
  );
}
