import type { VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { describedBy } from './field';
import { inputVariants } from './input-variants';

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
