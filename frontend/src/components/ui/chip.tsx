import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

export const chipVariants = cva(
  'inline-flex items-center gap-1.5 rounded-full font-semibold whitespace-nowrap max-[360px]:whitespace-normal [&_svg]:size-3.75',
  {
    variants: {
      tone: {
        neutral: 'bg-secondary',
        quiet: 'bg-secondary text-muted-foreground',
        green: 'bg-primary-soft text-primary-soft-foreground',
        amber: 'bg-warning-soft text-warning',
        coral: 'bg-accent-soft text-accent-text',
        blue: 'bg-info-soft text-info',
        red: 'bg-destructive-soft text-destructive',
        line: 'inset-ring-[1.5px] inset-ring-border',
        panel: 'bg-white/14',
        kunyit: 'bg-kunyit text-ink',
        /** On a photo, which may be of any color. */
        photo: 'bg-white text-ink shadow-photo ring ring-ink/14',
      },
      size: {
        small: 'h-6.5 px-3 text-[13px]',
        normal: 'h-7.5 px-3 text-[13px]',
        tall: 'h-8.5 px-3 text-[13px]',
        medium: 'h-9 px-3 text-[13px]',
        large: 'h-9.5 px-3 text-sm',
        /** On a card's photo: smaller on phones. */
        card: 'h-7.5 px-3 text-[13px] max-sm:h-6.5 max-sm:px-2.5 max-sm:text-[12px]',
      },
    },
    defaultVariants: { tone: 'neutral', size: 'normal' },
  },
);

interface ChipProps extends ComponentProps<'span'>, VariantProps<typeof chipVariants> {}

export function Chip({ tone, size, className, ...props }: ChipProps) {
  return <span data-slot="chip" className={chipVariants({ tone, size, className })} {...props} />;
}
