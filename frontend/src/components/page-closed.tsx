import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { paths } from '@/lib/paths';
import type { Page } from '@/lib/session';
import { closedSentence } from './closed-sentence';
import { ClosedDoor } from './drawings';

/** Shown instead of a page that an admin has closed to this account. */
export default function PageClosed({ page }: { page: Page }) {
  const { dashboardPath } = useSession();
  return (
    <main className="wrap nf">
      <ClosedDoor />
      <h1 className="notice-title">This page is closed to your account</h1>
      <p className="muted notice-text">{closedSentence(page)} Your profile and the rest of Serasi work as before.</p>
      <div className="row wrapf notice-actions">
        <Link className="btn primary lg" to={dashboardPath ?? paths.home}>
          {dashboardPath ? 'Go to Dashboard' : 'Return to Home'}
        </Link>
        <Link className="btn ghost lg" to={`${paths.helpCenter}#write-to-us`}>
          Write to us
        </Link>
      </div>
    </main>
  );
}
