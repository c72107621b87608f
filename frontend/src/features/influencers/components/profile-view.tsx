import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { firstLetter, Picture } from '@/components/picture';
import { PictureGrid } from '@/components/picture-grid';
import { Rating } from '@/components/rating';
import { UbinPattern } from '@/components/ubin-pattern';
import { avatarVariants } from '@/components/ui/avatar';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { Count } from '@/components/ui/count';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { VerificationBadge } from '@/components/verification-badge';
import { postsOf, servicesOf } from '@/lib/profile-json';
import type { Influencer } from '../queries';
import { Facts, MoreFacts, ReachCard } from './facts';
import { ProfileActions, type Saving } from './profile-actions';
import { SocialPills } from './social-pills';

export function ProfileView(props: {
  influencer: Influencer;
  saving: Saving;
  /** Null if there are none. */
  reviews: ReactNode;
}) {
  const { influencer, saving, reviews } = props;
  const id = influencer.id ?? '';
  const name = influencer.name ?? '';
  return (
    <>
      <div className="photo-edge relative mt-3 block h-80 overflow-hidden rounded-2xl bg-muted">
        <Picture
          className="size-full object-cover"
          src={influencer.cover_image}
          alt=""
          width={1280}
          height={320}
          eager
          fallback={<UbinPattern seed={id} columns={8} rows={2} />}
        />
      </div>
      <div className="grid grid-cols-[288px_minmax(0,1fr)] gap-11 print:grid-cols-[230px_minmax(0,1fr)] print:gap-6">
        <div>
          <span
            data-slot="portrait"
            className={avatarVariants({
              className: 'photo-edge relative -mt-28 ml-5 size-56 border-8 border-background text-[96px]',
            })}
          >
            <Picture
              src={influencer.profile_image}
              alt={name}
              width={224}
              height={224}
              eager
              fallback={<span>{firstLetter(name)}</span>}
            />
          </span>
          <Facts influencer={influencer} />
          <ReachCard influencer={influencer} />
          <MoreFacts influencer={influencer} />
        </div>
        <div className="pt-5.5">
          <div className="flex flex-wrap items-start gap-5">
            <div className="min-w-0 flex-1 basis-95">
              <h1 className="wrap-anywhere flex items-center gap-2.5 text-[42px]">
                @{influencer.username} <VerificationBadge type={influencer.badge_type} size={32} />
              </h1>
              <p className="mt-1.5 flex items-center gap-3 text-[18px]">
                <span>
                  by <b>{name}</b>
                </span>
                <Chip tone="coral">{influencer.category}</Chip>
                <Rating rating={influencer.rating} count={influencer.review_count} />
              </p>
            </div>
            <div className="flex gap-5 print:hidden">
              <ProfileActions influencer={influencer} saving={saving} />
            </div>
          </div>
          {influencer.bio ? (
            <p className="mt-5 max-w-[60ch] whitespace-pre-line text-[19px] leading-[1.6]">{influencer.bio}</p>
          ) : (
            <p className="mt-5 max-w-[60ch] whitespace-pre-line text-[19px] text-muted-foreground leading-[1.6]">
              No bio available
            </p>
          )}
          <SocialPills influencer={influencer} />
          <Services influencer={influencer} />
        </div>
      </div>
      <WorkAndReviews influencer={influencer} reviews={reviews} />
    </>
  );
}

function Services({ influencer }: { influencer: Influencer }) {
  const services = servicesOf(influencer.services);
  if (services.length === 0) return null;
  return (
    <section aria-labelledby="services">
      <h2 className="mt-12 mb-4 text-[28px]" id="services">
        Services I Provide
      </h2>
      <ul className={cardVariants()}>
        {services.map((service) => (
          <li
            key={`${service.title}-${service.description}`}
            className="flex items-start gap-6 not-first:border-border not-first:border-t px-6 py-5.5"
          >
            <div className="min-w-0 flex-1">
              <h3 className="text-[19px]">{service.title}</h3>
              <p className="mt-1 max-w-[58ch] text-muted-foreground">{service.description}</p>
            </div>
            {service.price ? (
              <b className="whitespace-nowrap font-bold font-display text-[20px] tabular-nums leading-[1.3]">
                {service.price}
              </b>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function WorkAndReviews({ influencer, reviews }: { influencer: Influencer; reviews: ReactNode }) {
  const posts = postsOf(influencer.content_posts);
  const [search] = useSearchParams();
  const [tab, setTab] = useState(search.get('tab') === 'review' ? 'review' : 'content');
  return (
    <Tabs.Root className="mt-14" value={tab} onValueChange={setTab}>
      <Tabs.List className={tabListVariants({ look: 'line' })} aria-label="Work and reviews">
        <Tabs.Trigger value="content" className={tabVariants({ look: 'line' })}>
          Content <Count>{posts.length}</Count>
        </Tabs.Trigger>
        <Tabs.Trigger value="review" className={tabVariants({ look: 'line' })}>
          Review <Count>{influencer.review_count ?? 0}</Count>
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="content">
        {posts.length === 0 ? (
          <EmptyState title="No content posts available yet." />
        ) : (
          <PictureGrid
            className="mt-5 grid grid-cols-4 gap-4"
            title={`Work by ${influencer.name}`}
            pictures={posts.map(({ url, title }, index) => ({
              url,
              alt: title || `Work by ${influencer.name}, ${index + 1} of ${posts.length}`,
            }))}
          />
        )}
      </Tabs.Content>
      <Tabs.Content value="review">
        {reviews ?? <EmptyState title="No reviews yet. Be the first to leave a review!" />}
      </Tabs.Content>
    </Tabs.Root>
  );
}
