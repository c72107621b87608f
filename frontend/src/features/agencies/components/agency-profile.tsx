import { MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { firstLetter, Picture } from '@/components/picture';
import { PictureGrid } from '@/components/picture-grid';
import { Rating } from '@/components/rating';
import { UbinPattern } from '@/components/ubin-pattern';
import { Chip } from '@/components/ui/chip';
import { VerificationBadge } from '@/components/verification-badge';
import type { Agency } from '../agency-profile-queries';
import { AgencyContact } from './agency-profile-contact';

/** An agency's public page: name, description, gallery and contact details. */
export function AgencyProfile({ agency, reviews }: { agency: Agency; reviews: ReactNode }) {
  const id = agency.id ?? '';
  const name = agency.name ?? '';
  return (
    <>
      <div className="photo-edge relative mt-3 block h-[clamp(150px,22vw,280px)] overflow-hidden rounded-2xl bg-muted">
        <Picture
          className="size-full object-cover"
          src={agency.banner_url}
          alt=""
          width={1280}
          height={280}
          eager
          fallback={<UbinPattern seed={id} columns={8} rows={2} />}
        />
      </div>
      <div className="flex flex-wrap items-start gap-5.5">
        <span className="relative -mt-13 ml-4 grid size-33 flex-none place-items-center overflow-hidden rounded-[30px] border-6 border-background bg-mint font-bold font-display text-[56px] text-pandan leading-none">
          <Picture
            className="size-full object-cover"
            src={agency.logo_url}
            alt=""
            width={120}
            height={120}
            eager
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <div className="min-w-[min(260px,100%)] flex-1 pt-3.5">
          <h1 className="flex items-center gap-2.5 text-[clamp(30px,4vw,42px)]">
            <span className="wrap-anywhere">{name}</span>
            <VerificationBadge type={agency.badge_type} size={30} />
          </h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-2.5">
            <Rating className="text-[17px]" rating={agency.rating} count={agency.review_count} />
            {agency.company_name ? (
              <span className="wrap-anywhere text-[17px] text-muted-foreground">{agency.company_name}</span>
            ) : null}
            {agency.location ? (
              <Chip className="max-w-full">
                <MapPin className="flex-none" aria-hidden="true" />
                <span className="truncate">{agency.location}</span>
              </Chip>
            ) : null}
          </p>
        </div>
      </div>
      <div className="mt-8 grid gap-8 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-12">
        <div>
          <h2 className="text-[26px]">About the Agency</h2>
          {agency.description ? (
            <p className="wrap-anywhere mt-2.5 max-w-[62ch] whitespace-pre-line text-[18px] leading-[1.6]">
              {agency.description}
            </p>
          ) : (
            <p className="wrap-anywhere mt-2.5 max-w-[62ch] whitespace-pre-line text-[18px] text-muted-foreground leading-[1.6]">
              No additional information provided.
            </p>
          )}
          <Gallery name={name} pictures={agency.gallery ?? []} />
          <AgencyReviews>{reviews}</AgencyReviews>
        </div>
        <AgencyContact agency={agency} />
      </div>
    </>
  );
}

function AgencyReviews({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews" className="mt-10 mb-4 text-[26px]">
        Reviews
      </h2>
      {children ?? <p className="rounded-lg bg-muted px-6 py-10 text-center text-muted-foreground">No reviews yet</p>}
    </section>
  );
}

function Gallery({ name, pictures }: { name: string; pictures: string[] }) {
  const shown = pictures.filter(Boolean);
  return (
    <section aria-labelledby="gallery">
      <h2 id="gallery" className="mt-10 mb-4 text-[26px]">
        Gallery
      </h2>
      {shown.length === 0 ? (
        <p className="rounded-lg bg-muted px-6 py-10 text-center text-muted-foreground">No gallery images available</p>
      ) : null}
      <PictureGrid
        className="grid grid-cols-2 gap-3 lg:grid-cols-3 lg:gap-4"
        title={`Gallery of ${name}`}
        pictures={shown.map((url, index) => ({ url, alt: `${name}, picture ${index + 1} of ${shown.length}` }))}
      />
    </section>
  );
}
