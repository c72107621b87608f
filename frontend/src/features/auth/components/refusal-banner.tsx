import { ShieldX } from 'lucide-react';

export interface Refusal {
  title: string;
  text?: string;
}

/** What the toast said, so that it can still be read when the toast is gone. */
export function RefusalBanner({ refusal }: { refusal: Refusal | undefined }) {
  if (!refusal) return null;
  return (
    <div className="ban red" role="alert" style={{ margin: '24px 0 22px', padding: '14px 16px' }}>
      <span className="bi">
        <ShieldX className="i" aria-hidden="true" />
      </span>
      <div>
        <h2 style={{ fontSize: 17, letterSpacing: '-.01em' }}>{refusal.title}</h2>
        {refusal.text ? <p>{refusal.text}</p> : null}
      </div>
    </div>
  );
}
