import { cva } from 'class-variance-authority';
import { Share2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { Chip } from '@/components/ui/chip';
import { IconButton } from '@/components/ui/icon-button';
import { mediaCard, mediaFrame, mediaLink, mediaText, mediaTitle } from '@/components/ui/media-card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/lib/paths';
import { countedPlatforms, NO_FOLLOWERS, PLATFORM_NAMES } from '@/lib/platforms';
import { firstLetter, Picture } from './picture';
import { PlatformIcon } from './platform-icon';
import { Rating } from './rating';
import { shareWithToast } from './share-toast';
import { UbinPattern } from './ubin-pattern';
import { VerificationBadge } from './verification-badge';

/**
 * The columns a card needs; lists request only these. The generated types make every view column nullable, but
 * constraints on the underlying table guarantee these.
 */
export interface CardInfluencer {
  id: string;
  name: string;
  username: string;
  category: string;
  bio: string | null;
  location: string | null;
  profile_image: string | null;
  badge_type: string | null;
  instagram_followers: string | null;
  tiktok_followers: string | null;
  youtube_followers: string | null;
  twitter_followers: string | null;
  /** Missing where a list has no ratings. */
  rating?: number | null;
  review_count?: number | null;
}

export const CARD_COLUMNS =
  'id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,tiktok_followers,youtube_followers,twitter_followers,rating,review_count' as const;

/** On a phone the portrait is beside the text. Keep in sync with the server's preload in `site/pictures.rs`. */
const PORTRAIT_SIZES = '(max-width: 639px) 140px, 300px';

/** Loaded when a card is first pointed at. A card also works without it. */
const CardWork = lazy(() => import('./card-work').catch(() => ({ default: () => null })));

/** `action` is shown after the follower counts. */
export function InfluencerCard(props: { influencer: CardInfluencer; eager?: boolean; action?: ReactNode }) {
  const { influencer, eager = false, action } = props;
  const { id, name, username, category, bio, location } = influencer;
  const [pointer, setPointer] = useState<PointerEvent>();
  return (
    <article
      className={mediaCard({ row: true })}
      onPointerEnter={pointer ? undefined : (event) => setPointer(event.nativeEvent)}
    >
      <div data-slot="card-picture" className={mediaFrame({ row: true })}>
        <Picture
          src={influencer.profile_image}
          alt=""
          width={300}
          height={324}
          sizes={PORTRAIT_SIZES}
          eager={eager}
          fallback={<InitialPortrait id={id} name={name} />}
        />
        {pointer ? (
          <Suspense>
            <CardWork id={id} first={pointer} />
          </Suspense>
        ) : null}
        <Chip tone="photo" size="card" className="absolute bottom-2 left-2 max-sm:bottom-1.5 max-sm:left-1.5">
          {category}
        </Chip>
      </div>
      <IconButton
        variant="bare"
        size="own"
        className="absolute top-4 right-4 z-1 size-10 max-sm:top-1 max-sm:right-1 max-sm:size-11 sm:bg-white sm:text-ink sm:shadow-photo sm:ring sm:ring-ink/14"
        aria-label={`Share ${name}`}
        onClick={() => shareWithToast(id, name)}
      >
        <Share2 className="size-4.5" aria-hidden="true" />
      </IconButton>
      <div className={mediaText({ row: true })}>
        <h3 className={mediaTitle({ row: true })}>
          <Link to={paths.profile(id)} className={mediaLink}>
            {name}
          </Link>
          <VerificationBadge type={influencer.badge_type} />
        </h3>
        <div className="flex gap-2 text-sm">
          <p className="min-w-0 flex-1 truncate text-muted-foreground">
            @{username}
            {location ? ` · ${location}` : ''}
          </p>
          <Rating rating={influencer.rating} count={influencer.review_count} />
        </div>
        <p className="mt-2 line-clamp-2 min-h-10 text-sm max-sm:mt-1.5 max-sm:min-h-0">{bio}</p>
        <FollowerCounts influencer={influencer} action={action} />
      </div>
    </article>
  );
}

/** The row of follower counts, narrower the more there are: all four fit on one line if the card is wide enough. */
const countsRow = cva('flex min-w-0 flex-1 flex-wrap gap-y-1 max-[380px]:gap-x-3 max-[380px]:gap-y-1.5', {
  variants: {
    counts: {
      few: 'gap-x-3 max-sm:gap-x-2',
      three: 'gap-x-3 max-sm:gap-x-1.5 max-sm:tracking-[-0.01em]',
      four: 'gap-x-1.75 max-sm:gap-x-1.5 max-sm:tracking-[-0.01em]',
    },
  },
});

const count = cva('inline-flex max-w-full items-center max-[380px]:gap-1', {
  variants: { counts: { few: 'gap-1.25', three: 'gap-1.25 max-sm:gap-0.5', four: 'gap-0.5' } },
});

const COUNTS_ROW =
  'mt-2.5 flex gap-3.5 border-t border-border pt-3 text-[14px] font-semibold tabular-nums max-sm:mt-auto max-sm:gap-2 max-sm:border-0 max-sm:pt-2.5 max-sm:text-[13px]';

export function FollowerCounts({ influencer, action }: { influencer: CardInfluencer; action?: ReactNode }) {
  const counted = countedPlatforms(influencer);
  const counts = counted.length > 3 ? 'four' : counted.length === 3 ? 'three' : 'few';
  return (
    <div className={COUNTS_ROW}>
      <div className={countsRow({ counts })}>
        {counted.map((platform) => (
          <span key={platform} className={count({ counts })} title={PLATFORM_NAMES[platform]}>
            <PlatformIcon
              platform={platform}
              className={
                counts === 'four'
                  ? 'h-4 w-3.5 text-muted-foreground max-sm:size-3.75'
                  : 'size-4 text-muted-foreground max-sm:size-3.75'
              }
            />
            <span className="sr-only">{PLATFORM_NAMES[platform]}</span>
            <span className="truncate">{influencer[`${platform}_followers`]}</span>
          </span>
        ))}
        {counted.length === 0 ? <span>{NO_FOLLOWERS} followers</span> : null}
      </div>
      {action}
    </div>
  );
}

export function InitialPortrait({ id, name }: { id: string; name: string }) {
  return (
    <div className="relative grid size-full place-items-center" aria-hidden="true">
      <div className="absolute inset-0">
        <UbinPattern seed={id} columns={3} rows={3} />
      </div>
      <b className="relative grid size-37.5 place-items-center rounded-full bg-ink pb-2.5 font-bold font-display text-[96px] text-white leading-none max-sm:size-19 max-sm:pb-1.25 max-sm:text-[46px]">
        {firstLetter(name)}
      </b>
    </div>
  );
}

/** Uses the card's own layout, so that it has the same height at every width. */
export function InfluencerCardSkeleton() {
  return (
    <div className={mediaCard({ row: true })} aria-hidden="true">
      {/* For the first cards, the server inserts the picture into the HTML if it already has the rows. */}
      <div data-slot="skeleton" className={mediaFrame({ row: true })} data-picture="" />
      <div className={mediaText({ row: true })}>
        <h3 className={mediaTitle({ row: true })}>
          <Skeleton words className="w-[70%]" />
        </h3>
        <p className="text-sm">
          <Skeleton words className="w-1/2" />
        </p>
        <p className="mt-2 line-clamp-2 min-h-10 text-sm max-sm:mt-1.5 max-sm:min-h-0">
          <Skeleton words />
          <Skeleton words className="w-4/5" />
        </p>
        <div className={COUNTS_ROW}>
          <div className={countsRow({ counts: 'few' })}>
            <Skeleton words className="w-14" />
            <Skeleton words className="w-14" />
          </div>
        </div>
      </div>
    </div>
  );
}
