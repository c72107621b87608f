import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Refusal } from '../refusal';

/** Repeats the error toast, so that it can still be read after the toast is gone. Children say what to do. */
export function RefusalBanner({ refusal, children }: { refusal: Refusal | undefined; children?: ReactNode }) {
  if (!refusal) return null;
  return (
    <div className="ban red account-banner" role="alert">
      <span className="bi">
        <ShieldX className="i" aria-hidden="true" />
      </span>
      <div>
        <h2>{refusal.title}</h2>
        {refusal.text ? <p>{refusal.text}</p> : null}
        {children}
      </div>
    </div>
  );
}
