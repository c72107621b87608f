import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { UbinPattern } from '@/components/ubin-pattern';
import { paths } from '@/lib/paths';

const PORTALS = [
  ['Influencer Login', 'Build a profile, get approved, browse gigs.', paths.auth, 'leaf'],
  ['Agency Login', 'Post gigs and shortlist creators.', paths.agencyAuth, 'quarter'],
  ['Vendor Login', 'List your event services and equipment.', paths.vendorAuth, 'bunga'],
] as const;

export function PortalsPanel() {
  return (
    <section className="wrap mt-18 max-sm:mt-14 lg:mt-24">
      <div className="on-panel grid items-center gap-7 rounded-2xl bg-panel p-[clamp(24px,4vw,48px)] text-white lg:grid-cols-2">
        <div>
          <h2 className="text-[28px] max-sm:text-[25px] lg:text-[34px]">Three ways in. Pick yours.</h2>
          <p className="mt-2.5 text-[17px] text-panel-muted">Each role has its own portal and dashboard.</p>
        </div>
        <div className="grid gap-2.5 *:min-w-0">
          {PORTALS.map(([name, text, to, seed]) => (
            <Link
              key={name}
              to={to}
              className="flex items-center gap-4 rounded-[18px] bg-white/9 p-3 hover:bg-white/15"
            >
              <span className="size-16 flex-none overflow-hidden rounded-md">
                <UbinPattern seed={seed} columns={1} rows={1} />
              </span>
              <span className="min-w-0 flex-1">
                <b className="block font-bold font-display text-[18px] leading-[1.3]">{name}</b>
                <span className="block text-panel-muted text-sm">{text}</span>
              </span>
              <ArrowRight aria-hidden="true" />
            </Link>
          ))}
        </div>
      </div>
    </section>
  );
}
