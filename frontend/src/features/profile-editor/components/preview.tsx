import { MapPin } from 'lucide-react';
import { CopyLinkButton } from '@/components/copy-link-button';
import type { CardInfluencer } from '@/components/influencer-card';
import { InfluencerCard } from '@/components/influencer-card';
import { firstLetter, Picture } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { UbinPattern } from '@/components/ubin-pattern';
import { Dialog } from '@/components/ui/dialog';
import { slotSource, sourceOf } from '@/features/pictures/pending';
import { NO_FOLLOWERS, PLATFORM_NAMES, PLATFORMS } from '@/lib/followers';
import { usePictures } from '../pictures';
import type { ProfileForm } from '../schema';

/** A preview of the influencer's search card. */
export function CardPreview(props: { form: ProfileForm; userId: string; badge: string | null | undefined }) {
  const { form, userId } = props;
  const { profile } = usePictures().slots;
  const card: CardInfluencer = {
    id: userId,
    name: form.name || 'Your Name',
    username: form.username || 'username',
    category: form.category || 'Category',
    bio: form.bio,
    location: form.location,
    profile_image: slotSource(profile),
    badge_type: props.badge ?? 'none',
    instagram_followers: form.instagram.followers,
    tiktok_followers: form.tiktok.followers,
    youtube_followers: form.youtube.followers,
    twitter_followers: form.twitter.followers,
  };
  return (
    <div inert>
      <InfluencerCard influencer={card} />
    </div>
  );
}

/** A preview of the public profile, with placeholders for missing fields. */
export function PreviewDialog(props: {
  form: ProfileForm;
  userId: string;
  /** The public URL; undefined before the first save. */
  link: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { form } = props;
  const {
    slots: { cover, profile },
    photos: content,
  } = usePictures();
  const name = form.name || 'Your Name';
  const followers = form.instagram.followers || form.tiktok.followers || NO_FOLLOWERS;
  const social = PLATFORMS.filter((platform) => form[platform].followers);
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Preview Profile" flush>
      <div className="preview-cover">
        <Picture
          src={slotSource(cover)}
          alt=""
          width={760}
          height={180}
          fallback={<UbinPattern seed={props.userId} columns={6} rows={2} />}
        />
      </div>
      <div className="preview-body">
        <span className="av preview-portrait">
          <Picture
            src={slotSource(profile)}
            alt=""
            width={112}
            height={112}
            fallback={<span>{firstLetter(form.name || 'Y')}</span>}
          />
        </span>
        <div className="row wrapf" style={{ gap: '6px 12px' }}>
          <h3 style={{ fontSize: 30 }} className={form.name ? '' : 'muted'}>
            {name}
          </h3>
          <span className={form.category ? 'chip coral' : 'chip muted'}>{form.category || 'Category'}</span>
        </div>
        <p className="row wrapf muted" style={{ gap: '4px 16px' }}>
          <span>@{form.username || 'username'}</span>
          {form.location ? (
            <span className="row" style={{ gap: 6 }}>
              <MapPin className="i i16" aria-hidden="true" />
              {form.location}
            </span>
          ) : null}
          <span className="num">{followers} followers</span>
        </p>
        {form.bio ? <p style={{ fontSize: 17, maxWidth: '60ch', whiteSpace: 'pre-line' }}>{form.bio}</p> : null}
        {social.length > 0 ? (
          <div className="row wrapf" style={{ gap: 8 }}>
            {social.map((platform) => (
              <span key={platform} className="chip line num" style={{ height: 38, fontSize: 14 }}>
                <PlatformIcon platform={platform} />
                <span className="sr">{PLATFORM_NAMES[platform]}</span>
                {form[platform].followers}
              </span>
            ))}
          </div>
        ) : null}
        {form.services.length > 0 ? (
          <section>
            <h3 style={{ fontSize: 21, margin: '12px 0 10px' }}>Services I Provide</h3>
            <ul>
              {form.services.map((service) => (
                <li key={`${service.title}-${service.description}`} className="row between preview-service">
                  <span>{service.title}</span>
                  <b className="num">{service.price}</b>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {content.length > 0 ? (
          <section>
            <h3 style={{ fontSize: 21, margin: '12px 0' }}>My Work</h3>
            <div className="preview-work">
              {content.map((photo, index) => (
                <Picture
                  key={sourceOf(photo)}
                  src={sourceOf(photo)}
                  alt={`Work ${index + 1}`}
                  width={160}
                  height={160}
                  fallback={null}
                />
              ))}
            </div>
          </section>
        ) : null}
        {props.link ? <CopyLinkButton path={props.link} /> : null}
      </div>
    </Dialog>
  );
}
