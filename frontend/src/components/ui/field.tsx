import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** The id of a control's hint or error, for `aria-describedby`. */
export const describedBy = (id: string) => `${id}-help`;

/** A form field: label, control, and below it the hint or the error. */
export function Field(props: {
  id: string;
  label: string;
  required?: boolean;
  hint?: string;
  error?: string;
  counter?: string;
  /** Shown to the right of the label, but after the control in keyboard order. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={props.beside ? 'relative grid min-w-0 content-start gap-1.5' : 'grid min-w-0 content-start gap-1.5'}
    >
      <div className="flex items-center justify-between gap-3 max-[360px]:flex-wrap">
        <label htmlFor={props.id} className="font-semibold text-sm">
          {props.label}
          {props.required ? <RequiredMark /> : null}
        </label>
        {props.counter ? <span className="text-muted-foreground text-xs tabular-nums">{props.counter}</span> : null}
      </div>
      {props.children}
      <div id={describedBy(props.id)}>
        {props.error ? (
          <FieldError>{props.error}</FieldError>
        ) : props.hint ? (
          <p className="text-muted-foreground text-xs">{props.hint}</p>
        ) : null}
      </div>
      {props.beside ? <div className="absolute -top-0.75 right-0">{props.beside}</div> : null}
    </div>
  );
}

export function FieldError({ children }: { children: ReactNode }) {
  return (
    <p data-slot="error" className="flex items-center gap-1.5 font-semibold text-destructive text-sm">
      <CircleAlert className="size-4" aria-hidden="true" />
      {children}
    </p>
  );
}

/** Beside the label of a required field. Screen readers hear it from the control. */
export function RequiredMark() {
  return <span className="text-destructive after:content-['_*']" aria-hidden="true" />;
}
