import { Globe, Mail, MapPin, Phone } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { VerificationBadge } from '@/components/verification-badge';
import { safeLink } from '@/lib/links';
import type { ListedVendor } from '../list-queries';

/** Vendors have no page of their own, so the card shows everything, including contact details. */
export function VendorCard({ vendor, eager }: { vendor: ListedVendor; eager: boolean }) {
  const { name, email } = vendor;
  const website = safeLink(vendor.website);
  return (
    <article className="card vendor-card" tabIndex={-1} aria-label={name}>
      <div className="row">
        <span className="vendor-logo">
          <Picture
            src={vendor.logo_url}
            alt=""
            width={52}
            height={52}
            eager={eager}
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <div className="grow">
          <h3>
            <span className="trunc">{name}</span>
            <VerificationBadge type={vendor.badge_type} size={18} />
          </h3>
          <p className="sm muted trunc">{vendor.company_name}</p>
        </div>
        {vendor.type ? <span className="chip">{vendor.type}</span> : null}
      </div>
      <p className="clamp3 vendor-text">{vendor.description}</p>
      <ul className="sm muted vendor-facts">
        {vendor.location ? (
          <li className="row">
            <MapPin className="i i16" aria-hidden="true" />
            <span className="trunc">{vendor.location}</span>
          </li>
        ) : null}
        <li className="row">
          <Mail className="i i16" aria-hidden="true" />
          <span className="trunc">{email}</span>
        </li>
        {vendor.phone ? (
          <li className="row num">
            <Phone className="i i16" aria-hidden="true" />
            <span className="trunc">{vendor.phone}</span>
          </li>
        ) : null}
      </ul>
      <div className="row vendor-actions">
        {website ? (
          <a className="btn outline grow" href={website} target="_blank" rel="noopener noreferrer">
            <Globe className="i" aria-hidden="true" />
            Website<span className="sr"> of {name}</span>
          </a>
        ) : null}
        <a className="btn primary grow" href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
          <Mail className="i" aria-hidden="true" />
          Contact<span className="sr"> {name}</span>
        </a>
      </div>
    </article>
  );
}

export function VendorCardSkeleton() {
  return (
    <div className="card vendor-card" aria-hidden="true">
      <div className="row">
        <span className="vendor-logo sk" />
        <div className="grow">
          <h3>
            <span className="sk words" style={{ width: '70%' }} />
          </h3>
          <p className="sm">
            <span className="sk words" style={{ width: '50%' }} />
          </p>
        </div>
      </div>
      <p className="vendor-text">
        <span className="sk words" />
        <span className="sk words" />
        <span className="sk words" style={{ width: '60%' }} />
      </p>
      <ul className="sm vendor-facts">
        {['45%', '60%', '40%'].map((width) => (
          <li key={width}>
            <span className="sk words" style={{ width }} />
          </li>
        ))}
      </ul>
      <div className="row vendor-actions">
        <span className="sk btn grow" />
      </div>
    </div>
  );
}
