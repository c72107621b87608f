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
    <div className="field">
      <div className="row between">
        <label htmlFor={props.id} className="lab">
          {props.label}
          {props.required ? <span className="req" aria-hidden="true" /> : null}
        </label>
        {props.counter ? <span className="hint num">{props.counter}</span> : null}
      </div>
      {props.children}
      <div id={describedBy(props.id)}>
        {props.error ? (
          <p className="errmsg">
            <CircleAlert className="i i16" aria-hidden="true" />
            {props.error}
          </p>
        ) : props.hint ? (
          <p className="hint">{props.hint}</p>
        ) : null}
      </div>
      {props.beside ? <div className="field-beside">{props.beside}</div> : null}
    </div>
  );
}
