import type { Page } from '@/lib/session';
import { closedSentence } from './closed-sentence';
import { ClosedDoor } from './drawings';

/** In place of a dashboard's tab that belongs to a page which an admin has taken away. */
export function TabClosed({ page }: { page: Page }) {
  return (
    <div className="pad nf">
      <ClosedDoor />
      <h2 className="notice-title">This page is closed to your account</h2>
      <p className="muted notice-text">{closedSentence(page)} Your profile and the rest of Serasi work as before.</p>
    </div>
  );
}
