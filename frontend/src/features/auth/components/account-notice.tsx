import { type ReactNode, useEffect, useRef } from 'react';

/** In place of a form: a drawing, what has happened, and the ways on. It takes the focus, which its form had. */
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
