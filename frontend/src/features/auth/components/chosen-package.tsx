import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import { AUDIENCES, shownPrice } from '@/lib/plans';
import { withQuery } from '@/lib/with-query';
import type { Portal } from '../portals';

/** The package chosen on the pricing page. Unknown packages, and those of other user types, show nothing. */
export function ChosenPackage({ userType, name }: { userType: Portal['userType']; name: string | null }) {
  const audience = AUDIENCES.find(({ role }) => role === userType);
  const plan = audience?.plans.find(({ badge }) => badge === name);
  if (!audience || !plan) return null;
  return (
    <p className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl bg-muted px-4 py-3 text-sm">
      <span>
        Your package: <b>{plan.name}</b>, RM {shownPrice(plan.price)} / year
      </span>
      <Link
        className="inline-block py-0.75 font-semibold underline underline-offset-3"
        to={withQuery(paths.pricing, { for: audience.key })}
      >
        Change package
      </Link>
    </p>
  );
}
