import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

const countVariants = cva(
  'min-w-5.5 rounded-full px-1.5 text-center font-sans text-[12px] leading-5 font-bold tabular-nums tracking-normal',
  {
    /** Hot: needs action. */
    variants: { hot: { true: 'bg-accent text-accent-foreground', false: 'bg-secondary text-foreground' } },
    defaultVariants: { hot: false },
  },
);

interface CountProps extends ComponentProps<'span'>, VariantProps<typeof countVariants> {}

/** A small number in a pill, beside a tab's or a button's text. */
export function Count({ hot, className, ...props }: CountProps) {
  return <span data-slot="count" className={countVariants({ hot, className })} {...props} />;
}
