import { MapPin } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { VerificationBadge } from '@/components/verification-badge';
import type { Agency } from '../agency-profile-queries';
import { AgencyContact } from './agency-profile-contact';

/** An agency's public page: name, description, gallery and contact details. */
export function AgencyProfile({ agency }: { agency: Agency }) {
  const id = agency.id ?? '';
  const name = agency.name ?? '';
  return (
    <>
      <div className="shot agency-banner">
        <Picture
          src={agency.banner_url}
          alt=""
          width={1280}
          height={280}
          eager
          fallback={<UbinPattern seed={id} columns={8} rows={2} />}
        />
      </div>
      <div className="agency-head">
        <span className="agency-logo">
          <Picture
            src={agency.logo_url}
            alt=""
            width={120}
            height={120}
            eager
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <div className="grow">
          <h1>
            <span>{name}</span>
            <VerificationBadge type={agency.badge_type} size={30} />
          </h1>
          <p className="row wrapf">
            {agency.company_name ? <span className="muted agency-company">{agency.company_name}</span> : null}
            {agency.location ? (
              <span className="chip">
                <MapPin className="i" aria-hidden="true" />
                {agency.location}
              </span>
            ) : null}
          </p>
        </div>
      </div>
      <div className="agb">
        <div>
          <h2 className="agency-part">About the Agency</h2>
          {agency.description ? (
            <p className="agency-about">{agency.description}</p>
          ) : (
            <p className="agency-about muted">No additional information provided.</p>
          )}
          <Gallery name={name} pictures={agency.gallery ?? []} />
        </div>
        <AgencyContact agency={agency} />
      </div>
    </>
  );
}

function Gallery({ name, pictures }: { name: string; pictures: string[] }) {
  const shown = pictures.filter(Boolean);
  return (
    <section aria-labelledby="gallery">
      <h2 id="gallery" className="agency-part">
        Gallery
      </h2>
      {shown.length === 0 ? <p className="agency-no-gallery">No gallery images available</p> : null}
      <div className="gg">
        {shown.map((url, index) => (
          <span key={url} className="shot">
            <Picture
              src={url}
              alt={`${name}, picture ${index + 1} of ${shown.length}`}
              width={300}
              height={300}
              fallback={<UbinPattern seed={url} columns={2} rows={2} />}
            />
          </span>
        ))}
      </div>
    </section>
  );
}
