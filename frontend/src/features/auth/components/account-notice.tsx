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
        <h1 ref={title} tabIndex={-1} className="mt-5.5 text-[38px] outline-none">
          {props.title}
        </h1>
        <p className="wrap-anywhere mt-1.5 text-[17px] text-muted-foreground">{props.text}</p>
      </div>
      <div className="mt-6.5 grid gap-2.5">{props.children}</div>
    </>
  );
}
