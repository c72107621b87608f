import { MapPin } from 'lucide-react';
import { CopyLinkButton } from '@/components/copy-link-button';
import type { CardInfluencer } from '@/components/influencer-card';
import { InfluencerCard } from '@/components/influencer-card';
import { firstLetter, Picture } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { UbinPattern } from '@/components/ubin-pattern';
import { avatarVariants } from '@/components/ui/avatar';
import { Chip } from '@/components/ui/chip';
import { Dialog } from '@/components/ui/dialog';
import { slotSource, sourceOf } from '@/features/pictures/pending';
import { NO_FOLLOWERS, PLATFORM_NAMES, PLATFORMS } from '@/lib/platforms';
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
      <div className="h-45 flex-none overflow-hidden bg-muted max-sm:h-35">
        <Picture
          className="size-full object-cover"
          src={slotSource(cover)}
          alt=""
          width={760}
          height={180}
          fallback={<UbinPattern seed={props.userId} columns={6} rows={2} />}
        />
      </div>
      <div className="wrap-anywhere grid gap-3 px-7 max-sm:px-4.5">
        <span className={avatarVariants({ className: 'relative -mt-15.5 size-28 border-6 border-card text-[44px]' })}>
          <Picture
            src={slotSource(profile)}
            alt=""
            width={112}
            height={112}
            fallback={<span>{firstLetter(form.name || 'Y')}</span>}
          />
        </span>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className={form.name ? 'text-[30px]' : 'text-[30px] text-muted-foreground'}>{name}</h3>
          <Chip tone={form.category ? 'coral' : 'quiet'}>{form.category || 'Category'}</Chip>
        </div>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground">
          <span>@{form.username || 'username'}</span>
          {form.location ? (
            <span className="flex items-center gap-1.5">
              <MapPin className="size-4" aria-hidden="true" />
              {form.location}
            </span>
          ) : null}
          <span className="tabular-nums">{followers} followers</span>
        </p>
        {form.bio ? <p className="max-w-[60ch] whitespace-pre-line text-[17px]">{form.bio}</p> : null}
        {social.length > 0 ? (
          <div className="flex flex-wrap items-center gap-2">
            {social.map((platform) => (
              <Chip key={platform} tone="line" size="large" className="tabular-nums">
                <PlatformIcon platform={platform} />
                <span className="sr-only">{PLATFORM_NAMES[platform]}</span>
                {form[platform].followers}
              </Chip>
            ))}
          </div>
        ) : null}
        {form.services.length > 0 ? (
          <section>
            <h3 className="mt-3 mb-2.5 text-[21px]">Services I Provide</h3>
            <ul>
              {form.services.map((service) => (
                <li
                  key={`${service.title}-${service.description}`}
                  className="flex items-center justify-between gap-3 not-first:border-border not-first:border-t py-3"
                >
                  <span>{service.title}</span>
                  <b className="tabular-nums">{service.price}</b>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {content.length > 0 ? (
          <section>
            <h3 className="my-3 text-[21px]">My Work</h3>
            <div className="grid grid-cols-4 gap-2.5 max-sm:grid-cols-2">
              {content.map((photo, index) => (
                <Picture
                  className="aspect-square w-full rounded-md object-cover"
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
        {props.link ? (
          <div>
            <CopyLinkButton path={props.link} />
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
