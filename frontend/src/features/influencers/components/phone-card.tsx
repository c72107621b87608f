import { InitialPortrait } from '@/components/influencer-card';
import { Picture } from '@/components/picture';
import { Rating } from '@/components/rating';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { VerificationBadge } from '@/components/verification-badge';
import { shortCount } from '@/lib/followers';
import { reachOf } from '../profile-data';
import type { Influencer } from '../queries';
import { ProfileActions, type Saving } from './profile-actions';
import { SocialPills } from './social-pills';

/** The profile on a phone: name, links to follow, Save and Share. */
export function PhoneCard({ influencer, saving }: { influencer: Influencer; saving: Saving }) {
  const id = influencer.id ?? '';
  const name = influencer.name ?? '';
  const { total } = reachOf(influencer);
  return (
    <article
      className={cardVariants({ className: 'mt-10 w-full max-w-120 overflow-hidden text-left' })}
      aria-label={name}
    >
      <div className="photo-edge relative aspect-[5/4] overflow-hidden bg-muted">
        <Picture
          className="size-full object-cover"
          src={influencer.profile_image}
          alt=""
          width={480}
          height={384}
          fallback={<InitialPortrait id={id} name={name} />}
        />
        <Chip tone="photo" size="card" className="absolute bottom-3 left-3">
          {influencer.category}
        </Chip>
      </div>
      <div className="p-4.5">
        <h2 className="wrap-anywhere flex items-center gap-2 text-[24px]">
          {name} <VerificationBadge type={influencer.badge_type} size={24} />
        </h2>
        <p className="wrap-anywhere text-muted-foreground">
          @{influencer.username}
          {total > 0 ? ` · ${shortCount(total)} followers` : ''}
        </p>
        <Rating className="mt-1.5" rating={influencer.rating} count={influencer.review_count} />
        <SocialPills influencer={influencer} />
        <div className="mt-5 grid grid-cols-2 gap-2.5 print:hidden">
          <ProfileActions influencer={influencer} saving={saving} />
        </div>
      </div>
    </article>
  );
}
