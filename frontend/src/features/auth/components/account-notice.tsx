import { type ReactNode, useEffect, useRef } from 'react';

/** Replaces a form: a drawing, what happened, and what to do next. It takes the focus that the form had. */
export function AccountNotice(props: {
  role: 'status' | 'alert';
  drawing: ReactNode;
  title: string;
  text: ReactNode;
  children: ReactNode;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <div role={props.role}>
        {props.drawing}
        <h1 ref={title} tabIndex={-1} className="account-title notice">
          {props.title}
        </h1>
        <p className="muted account-text">{props.text}</p>
      </div>
      <div className="stack account-ways">{props.children}</div>
    </>
  );
}
