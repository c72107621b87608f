import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

export const cardVariants = cva('ring', {
  variants: {
    look: {
      plain: 'bg-card ring-border',
      /** A brand panel, dark in both themes. */
      panel: 'on-panel bg-panel text-white shadow-lg ring-transparent',
    },
    radius: { large: 'rounded-lg', xl: 'rounded-xl' },
    padded: { true: 'p-6 max-sm:p-4.5' },
  },
  defaultVariants: { look: 'plain', radius: 'xl' },
});

interface CardProps extends ComponentProps<'div'>, VariantProps<typeof cardVariants> {}

/** For other elements (sections, articles, links), use `cardVariants`. */
export function Card({ look, radius, padded, className, ...props }: CardProps) {
  return <div className={cardVariants({ look, radius, padded, className })} {...props} />;
}
