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
    <section className="wrap sec">
      <div className="portals on-panel">
        <div>
          <h2 className="h2">Three ways in. Pick yours.</h2>
          <p>Each role has its own portal and dashboard.</p>
        </div>
        <div className="grid" style={{ gap: 10 }}>
          {PORTALS.map(([name, text, to, seed]) => (
            <Link key={name} to={to} className="row portal">
              <span className="portal-tile">
                <UbinPattern seed={seed} columns={1} rows={1} />
              </span>
              <span className="grow">
                <b>{name}</b>
                <span className="sm">{text}</span>
              </span>
              <ArrowRight className="i" aria-hidden="true" />
            </Link>
          ))}
        </div>
      </div>
    </section>
  );
}
