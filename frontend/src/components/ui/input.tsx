import { cva, type VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { describedBy } from './field';

/** The frame of a text field or a select. The field inside has no style of its own. */
export const inputVariants = cva(
  [
    'flex w-full min-w-0 items-center gap-2.5',
    '[&_input]:w-full [&_input]:min-w-0 [&_input]:outline-none [&_input]:placeholder:text-muted-foreground [&_input]:placeholder:opacity-100 [&>svg]:text-muted-foreground',
  ],
  {
    variants: {
      look: {
        card: 'bg-card',
        /** On the footer's panel. */
        footer:
          'border-[1.5px] border-[#7fa595] text-white [&_input]:placeholder:text-footer-muted [&>svg]:text-footer-muted',
      },
      size: {
        normal: 'h-11.5 rounded-md px-3.5 text-[15.5px]',
        large: 'h-13.5 rounded-[14px] px-3.5 text-[17px]',
        pill: 'h-12 rounded-full pr-4.5 pl-3.5 text-[15.5px]',
        /** In the header. */
        header: 'h-11 rounded-full pr-4.5 pl-3.5 text-[15.5px]',
        footer: 'h-12.5 rounded-md pr-1 pl-3.5 text-[15.5px]',
        area: 'block resize-y rounded-md px-3.5 py-3 text-[15.5px] leading-normal placeholder:text-muted-foreground placeholder:opacity-100',
      },
      invalid: { true: 'border-2 border-destructive', false: '' },
      select: { true: 'justify-between' },
    },
    compoundVariants: [{ look: 'card', invalid: false, className: 'border-[1.5px] border-input' }],
    defaultVariants: { look: 'card', size: 'normal', invalid: false },
  },
);

interface InputProps extends Omit<ComponentProps<'input'>, 'size'>, Pick<VariantProps<typeof inputVariants>, 'size'> {
  icon?: LucideIcon;
  invalid?: boolean;
  /** A small control at the right end, such as the button that shows the password. */
  end?: ReactNode;
}

export function Input({ icon: Icon, invalid, end, size, className, id, ...props }: InputProps) {
  return (
    <div className={inputVariants({ invalid: Boolean(invalid), size, className })}>
      {Icon ? <Icon className="size-4.5" aria-hidden="true" /> : null}
      <input
        id={id}
        aria-invalid={invalid || undefined}
        aria-describedby={id ? describedBy(id) : undefined}
        {...props}
      />
      {end}
    </div>
  );
}

interface TextareaProps extends ComponentProps<'textarea'> {
  invalid?: boolean;
}

export function Textarea({ invalid, className, id, ...props }: TextareaProps) {
  return (
    <textarea
      id={id}
      className={inputVariants({ invalid: Boolean(invalid), size: 'area', className })}
      aria-invalid={invalid || undefined}
      aria-describedby={id ? describedBy(id) : undefined}
      {...props}
    />
  );
}
