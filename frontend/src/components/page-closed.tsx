import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import type { Page } from '@/lib/session';
import { closedSentence } from './closed-sentence';
import { ClosedDoor } from './drawings';

/** Shown instead of a page that an admin has closed to this account. */
export default function PageClosed({ page }: { page: Page }) {
  const { dashboardPath } = useSession();
  return (
    <main className="wrap grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center">
      <ClosedDoor />
      <h1 className="mt-7 text-[clamp(30px,4vw,40px)]">This page is closed to your account</h1>
      <p className="mt-2.5 max-w-[44ch] text-[18px] text-muted-foreground">
        {closedSentence(page)} Your profile and all other pages still work.
      </p>
      <div className="mt-6.5 flex flex-wrap items-center justify-center gap-3">
        <Link className={buttonVariants({ size: 'large' })} to={dashboardPath ?? paths.home}>
          {dashboardPath ? 'Go to Dashboard' : 'Return to Home'}
        </Link>
        <Link className={buttonVariants({ variant: 'ghost', size: 'large' })} to={`${paths.helpCenter}#write-to-us`}>
          Write to us
        </Link>
      </div>
    </main>
  );
}
