import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

export const skeletonVariants = cva(
  'animate-shimmer bg-[linear-gradient(100deg,var(--skeleton)_40%,var(--skeleton-shine)_50%,var(--skeleton)_60%)] bg-size-[220%_100%]',
  {
    variants: {
      /** As high as one line of text. */
      words: { true: 'block h-lh border-y-[0.2em] border-transparent bg-clip-padding' },
      radius: {
        small: 'rounded-sm',
        control: 'rounded-md',
        large: 'rounded-lg',
        xl: 'rounded-xl',
        '2xl': 'rounded-2xl',
        logo: 'rounded-[22%]',
        full: 'rounded-full',
      },
    },
    defaultVariants: { radius: 'small' },
  },
);

interface SkeletonProps extends ComponentProps<'span'>, VariantProps<typeof skeletonVariants> {}

/** A placeholder for content that is loading. */
export function Skeleton({ words, radius, className, ...props }: SkeletonProps) {
  return <span data-slot="skeleton" className={skeletonVariants({ words, radius, className })} {...props} />;
}
