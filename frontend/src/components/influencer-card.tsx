import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countedPlatforms, NO_FOLLOWERS, PLATFORM_NAMES } from '@/lib/followers';
import { paths } from '@/lib/paths';
import { firstLetter, Picture } from './picture';
import { PlatformIcon } from './platform-icon';
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
}

export const CARD_COLUMNS =
  'id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,tiktok_followers,youtube_followers,twitter_followers' as const;

/** On a phone the portrait is beside the text. Keep in sync with the server's preload in `site/pictures.rs`. */
const PORTRAIT_SIZES = '(max-width: 639px) 140px, 300px';

/** `action` is shown after the follower counts. */
export function InfluencerCard(props: { influencer: CardInfluencer; eager?: boolean; action?: ReactNode }) {
  const { influencer, eager = false, action } = props;
  const { id, name, username, category, bio, location } = influencer;
  return (
    <article className="ic">
      <div className="im">
        <Picture
          src={influencer.profile_image}
          alt=""
          width={300}
          height={324}
          sizes={PORTRAIT_SIZES}
          eager={eager}
          fallback={<InitialPortrait id={id} name={name} />}
        />
        <span className="chip">{category}</span>
      </div>
      <button type="button" className="ib sh" aria-label={`Share ${name}`} onClick={() => shareWithToast(id, name)}>
        <Share2 className="i i18" aria-hidden="true" />
      </button>
      <div className="bd">
        <h3>
          <Link to={paths.profile(id)} className="trunc card-link">
            {name}
          </Link>
          <VerificationBadge type={influencer.badge_type} />
        </h3>
        <p className="sm muted trunc">
          @{username}
          {location ? ` · ${location}` : ''}
        </p>
        <p className="sm clamp2" style={{ marginTop: 8, minHeight: 40 }}>
          {bio}
        </p>
        <FollowerCounts influencer={influencer} action={action} />
      </div>
    </article>
  );
}

export function FollowerCounts({ influencer, action }: { influencer: CardInfluencer; action?: ReactNode }) {
  const counted = countedPlatforms(influencer);
  return (
    <div className="st num">
      <div className="counts">
        {counted.map((platform) => (
          <span key={platform} title={PLATFORM_NAMES[platform]}>
            <PlatformIcon platform={platform} />
            <span className="sr">{PLATFORM_NAMES[platform]}</span>
            <span className="trunc">{influencer[`${platform}_followers`]}</span>
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
    <div className="initial" aria-hidden="true">
      <div className="initial-tiles">
        <UbinPattern seed={id} columns={3} rows={3} />
      </div>
      <b>{firstLetter(name)}</b>
    </div>
  );
}

/** Uses the card's own layout, so that it has the same height at every width. */
export function InfluencerCardSkeleton() {
  return (
    <div className="ic" aria-hidden="true">
      {/* For the first cards, the server inserts the picture into the HTML if it already has the rows. */}
      <div className="im sk" data-picture="" />
      <div className="bd">
        <h3>
          <span className="sk words" style={{ width: '70%' }} />
        </h3>
        <p className="sm">
          <span className="sk words" style={{ width: '50%' }} />
        </p>
        <p className="sm clamp2" style={{ marginTop: 8, minHeight: 40 }}>
          <span className="sk words" />
          <span className="sk words" style={{ width: '80%' }} />
        </p>
        <div className="st">
          <div className="counts">
            <span className="sk words" style={{ width: 56 }} />
            <span className="sk words" style={{ width: 56 }} />
          </div>
        </div>
      </div>
    </div>
  );
}
