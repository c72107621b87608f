import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { describedBy } from './field';

interface InputProps extends ComponentProps<'input'> {
  icon?: LucideIcon;
  invalid?: boolean;
  /** A small control at the right end, such as the button that shows the password. */
  end?: ReactNode;
}

export function Input({ icon: Icon, invalid, end, className, id, ...props }: InputProps) {
  return (
    <div className={clsx('inp', invalid && 'err', className)}>
      {Icon ? <Icon className="i i18" aria-hidden="true" /> : null}
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
      className={clsx('inp', invalid && 'err', className)}
      aria-invalid={invalid || undefined}
      aria-describedby={id ? describedBy(id) : undefined}
      {...props}
    />
  );
}
