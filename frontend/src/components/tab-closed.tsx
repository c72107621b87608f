import type { Page } from '@/lib/session';
import { closedSentence } from './closed-sentence';
import { ClosedDoor } from './drawings';

/** Shown instead of a dashboard tab whose page an admin has closed to this account. */
export function TabClosed({ page }: { page: Page }) {
  return (
    <div className="grid justify-items-center px-6 pt-[clamp(40px,7vw,80px)] pb-6 text-center max-sm:px-4.5">
      <ClosedDoor />
      <h2 className="mt-7 text-[24px]">This page is closed to your account</h2>
      <p className="mt-2.5 max-w-[44ch] text-[18px] text-muted-foreground">
        {closedSentence(page)} Your profile and all other pages still work.
      </p>
    </div>
  );
}
