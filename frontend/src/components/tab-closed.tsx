import type { Page } from '@/lib/session';
import { closedSentence } from './closed-sentence';
import { ClosedDoor } from './drawings';

/** Shown instead of a dashboard tab whose page an admin has closed to this account. */
export function TabClosed({ page }: { page: Page }) {
  return (
    <div className="pad nf">
      <ClosedDoor />
      <h2 className="notice-title">This page is closed to your account</h2>
      <p className="muted notice-text">{closedSentence(page)} Your profile and the rest of Serasi work as before.</p>
    </div>
  );
}
