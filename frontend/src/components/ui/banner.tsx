import { cva, type VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

const bannerVariants = cva('flex items-center gap-4 rounded-lg', {
  variants: {
    tone: {
      amber: 'bg-warning-soft inset-ring inset-ring-warning-border',
      green: 'bg-primary-soft',
      blue: 'bg-info-soft',
      red: 'bg-destructive-soft inset-ring inset-ring-destructive',
    },
    size: { normal: 'px-5 py-4', small: 'px-4 py-3.5' },
  },
  defaultVariants: { tone: 'amber', size: 'normal' },
});

const iconVariants = cva('grid size-11 flex-none place-items-center rounded-md', {
  variants: {
    tone: {
      amber: 'bg-kunyit text-ink',
      green: 'bg-mint text-pandan',
      blue: 'bg-langit text-ink',
      red: 'bg-destructive text-destructive-foreground',
    },
  },
  defaultVariants: { tone: 'amber' },
});

interface BannerProps extends Omit<ComponentProps<'div'>, 'title'>, VariantProps<typeof bannerVariants> {
  icon: LucideIcon;
  title?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
}

/** A notice above a page's or a form's content: an icon, a title, text and buttons. */
export function Banner({ icon: Icon, title, actions, tone, size, className, children, ...props }: BannerProps) {
  return (
    <div className={bannerVariants({ tone, size, className })} {...props}>
      <span className={iconVariants({ tone })}>
        <Icon aria-hidden="true" />
      </span>
      <div className="wrap-anywhere min-w-0 flex-1 [&_p]:text-[15px] [&_p]:opacity-86">
        {title ? <h2 className="text-[17px] tracking-[-0.01em]">{title}</h2> : null}
        {children}
      </div>
      {actions}
    </div>
  );
}
