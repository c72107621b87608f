import { MapPin } from 'lucide-react';
import { Link } from 'react-router';
import { firstLetter, Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { VerificationBadge } from '@/components/verification-badge';
import { paths } from '@/lib/paths';
import type { ListedAgency } from '../list-queries';

/** The name is the only link, and covers the whole card. */
export function AgencyCard({ agency, eager }: { agency: ListedAgency; eager: boolean }) {
  const { id, name } = agency;
  return (
    <article className="ic big agency-card">
      <div className="im">
        <Picture
          src={agency.banner_url}
          alt=""
          width={320}
          height={180}
          eager={eager}
          fallback={<UbinPattern seed={id} columns={4} rows={2} />}
        />
        {agency.type ? <span className="chip">{agency.type}</span> : null}
      </div>
      <div className="bd">
        <span className="agency-card-logo">
          <Picture
            src={agency.logo_url}
            alt=""
            width={52}
            height={52}
            eager={eager}
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <h3>
          <Link to={paths.agency(id)} className="trunc card-link">
            {name}
          </Link>
          <VerificationBadge type={agency.badge_type} />
        </h3>
        <p className="sm muted trunc">{agency.company_name}</p>
        <p className="sm row agency-card-place">
          {agency.location ? (
            <>
              <MapPin className="i i16" aria-hidden="true" />
              <span className="trunc">{agency.location}</span>
            </>
          ) : null}
        </p>
      </div>
    </article>
  );
}

export function AgencyCardSkeleton() {
  return (
    <div className="ic big agency-card" aria-hidden="true">
      <div className="im sk" />
      <div className="bd">
        <span className="agency-card-logo sk" />
        <h3>
          <span className="sk words" style={{ width: '70%' }} />
        </h3>
        <p className="sm">
          <span className="sk words" style={{ width: '55%' }} />
        </p>
        <p className="sm row agency-card-place">
          <span className="sk words" style={{ width: '40%' }} />
        </p>
      </div>
    </div>
  );
}
