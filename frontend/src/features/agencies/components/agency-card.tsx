import { MapPin } from 'lucide-react';
import { Link } from 'react-router';
import { firstLetter, Picture } from '@/components/picture';
import { Rating } from '@/components/rating';
import { UbinPattern } from '@/components/ubin-pattern';
import { Chip } from '@/components/ui/chip';
import { mediaCard, mediaFrame, mediaLink, mediaText, mediaTitle } from '@/components/ui/media-card';
import { Skeleton } from '@/components/ui/skeleton';
import { VerificationBadge } from '@/components/verification-badge';
import { paths } from '@/lib/paths';
import type { ListedAgency } from '../list-queries';

/** The name is the only link, and covers the whole card. */
export function AgencyCard({ agency, eager }: { agency: ListedAgency; eager: boolean }) {
  const { id, name } = agency;
  return (
    <article className={mediaCard()}>
      <div data-slot="card-picture" className={mediaFrame({ row: false })}>
        <Picture
          src={agency.banner_url}
          alt=""
          width={320}
          height={180}
          eager={eager}
          fallback={<UbinPattern seed={id} columns={4} rows={2} />}
        />
        {agency.type ? (
          <Chip tone="photo" className="absolute top-2 left-2">
            {agency.type}
          </Chip>
        ) : null}
      </div>
      <div className={mediaText({ row: false })}>
        <span className="relative -mt-6.5 mb-2.5 ml-1 grid size-15 place-items-center overflow-hidden rounded-lg border-4 border-card bg-primary-soft font-bold font-display text-[26px] text-primary-soft-foreground leading-none">
          <Picture
            className="size-full object-cover"
            src={agency.logo_url}
            alt=""
            width={52}
            height={52}
            eager={eager}
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <h3 className={mediaTitle()}>
          <Link to={paths.agency(id)} className={mediaLink}>
            {name}
          </Link>
          <VerificationBadge type={agency.badge_type} />
        </h3>
        <p className="mb-auto min-h-5 truncate text-muted-foreground text-sm">{agency.company_name}</p>
        <p className="mt-2.5 flex min-h-8.25 items-center gap-1.5 border-border border-t pt-3 text-sm">
          {agency.location ? (
            <>
              <MapPin className="size-4" aria-hidden="true" />
              <span className="truncate">{agency.location}</span>
            </>
          ) : null}
          <Rating className="ml-auto" rating={agency.rating} count={agency.review_count} />
        </p>
      </div>
    </article>
  );
}

export function AgencyCardSkeleton() {
  return (
    <div className={mediaCard()} aria-hidden="true">
      <div data-slot="skeleton" className={mediaFrame({ row: false })} />
      <div className={mediaText({ row: false })}>
        <Skeleton radius="large" className="relative -mt-6.5 mb-2.5 ml-1 size-15 border-4 border-card" />
        <h3 className={mediaTitle()}>
          <Skeleton words className="w-[70%]" />
        </h3>
        <p className="mb-auto text-sm">
          <Skeleton words className="w-[55%]" />
        </p>
        <p className="mt-2.5 flex min-h-8.25 items-center gap-1.5 border-border border-t pt-3 text-sm">
          <Skeleton words className="w-2/5" />
        </p>
      </div>
    </div>
  );
}
