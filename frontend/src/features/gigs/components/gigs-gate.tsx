import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import type { Role } from '@/lib/session';

const OWN = 'You can see gigs once an admin has approved your profile and verified your account.';
const OTHERS = 'Gigs are for influencers whose profile is approved and verified.';

/** Only influencers can be admitted; agencies are pointed to their own gigs. */
function reasonFor(roles: Role[]): string {
  if (roles.includes('influencer')) return OWN;
  return roles.includes('agency') ? `${OTHERS} Your own gigs are on your dashboard, under Gigs.` : OTHERS;
}

/** Shown to accounts that may not see gigs (yet). */
export function GigsGate({ roles, dashboardPath }: { roles: Role[]; dashboardPath: string | undefined }) {
  return (
    <main className="wrap grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center">
      <LockedStar />
      <h1 className="mt-7 text-[clamp(30px,4vw,40px)]">Approval & Verification Required</h1>
      <p className="mt-2.5 max-w-[44ch] text-[18px] text-muted-foreground">{reasonFor(roles)}</p>
      <div className="mt-6.5 flex flex-wrap items-center justify-center gap-3">
        <Link className={buttonVariants({ size: 'large' })} to={dashboardPath ?? paths.home}>
          {dashboardPath ? 'Go to Dashboard' : 'Return to Home'}
        </Link>
      </div>
    </main>
  );
}

function LockedStar() {
  return (
    <svg width="160" height="160" viewBox="0 0 120 120" aria-hidden="true">
      <circle cx="60" cy="60" r="60" fill="#FCE6AE" />
      <path
        d="M60 22L69 38.3L86.9 33.1L81.7 51L98 60L81.7 69L86.9 86.9L69 81.7L60 98L51 81.7L33.1 86.9L38.3 69L22 60L38.3 51L33.1 33.1L51 38.3Z"
        fill="#F6B93B"
      />
      <rect x="46" y="56" width="28" height="22" rx="4" fill="#14231C" />
      <path d="M51 56v-6a9 9 0 0 1 18 0v6" fill="none" stroke="#14231C" strokeWidth="5" />
    </svg>
  );
}
