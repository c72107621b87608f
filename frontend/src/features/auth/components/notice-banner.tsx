import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A success message or a hint above a form. */
export function NoticeBanner(props: { icon: LucideIcon; title: string; text: string; children?: ReactNode }) {
  return (
    <div className="ban account-banner" role="status">
      <span className="bi">
        <props.icon className="i" aria-hidden="true" />
      </span>
      <div>
        <h2>{props.title}</h2>
        <p>{props.text}</p>
        {props.children}
      </div>
    </div>
  );
}
