import { ArrowUpRight, Bookmark, BookmarkCheck, Globe, Share2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { firstLetter, Picture } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { shareWithToast } from '@/components/share-toast';
import { UbinPattern } from '@/components/ubin-pattern';
import { VerificationBadge } from '@/components/verification-badge';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/followers';
import { safeLink } from '@/lib/links';
import { postsOf, servicesOf } from '@/lib/profile-json';
import type { Influencer } from '../queries';
import { Facts, MoreFacts, ReachCard } from './facts';

export interface Saving {
  saved: boolean;
  busy: boolean;
  toggle: () => void;
}

export function ProfileView({ influencer, saving }: { influencer: Influencer; saving: Saving }) {
  const id = influencer.id ?? '';
  const name = influencer.name ?? '';
  return (
    <>
      <div className="shot profile-cover">
        <Picture
          src={influencer.cover_image}
          alt=""
          width={1280}
          height={320}
          eager
          fallback={<UbinPattern seed={id} columns={8} rows={2} />}
        />
      </div>
      <div className="profile-grid">
        <div>
          <span className="av pho profile-portrait">
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
        <div style={{ paddingTop: 22 }}>
          <div className="row" style={{ alignItems: 'flex-start', gap: 20 }}>
            <div className="grow">
              <h1 className="profile-name">
                @{influencer.username} <VerificationBadge type={influencer.badge_type} size={32} />
              </h1>
              <p className="row" style={{ fontSize: 18, marginTop: 6 }}>
                <span>
                  by <b>{name}</b>
                </span>
                <span className="chip coral">{influencer.category}</span>
              </p>
            </div>
            <button
              type="button"
              className="btn outline"
              aria-pressed={saving.saved}
              disabled={saving.busy}
              onClick={saving.toggle}
            >
              {saving.saved ? (
                <BookmarkCheck className="i" aria-hidden="true" />
              ) : (
                <Bookmark className="i" aria-hidden="true" />
              )}
              {saving.saved ? 'Saved' : 'Save'}
            </button>
            <button type="button" className="btn primary" onClick={() => void shareWithToast(id, name)}>
              <Share2 className="i" aria-hidden="true" />
              Share
            </button>
          </div>
          {influencer.bio ? (
            <p className="profile-bio">{influencer.bio}</p>
          ) : (
            <p className="profile-bio muted">No bio available</p>
          )}
          <SocialPills influencer={influencer} />
          <Services influencer={influencer} />
        </div>
      </div>
      <WorkAndReviews influencer={influencer} />
    </>
  );
}

function SocialPills({ influencer }: { influencer: Influencer }) {
  const website = safeLink(influencer.website_link);
  return (
    <div className="row wrapf" style={{ marginTop: 20, gap: 10 }}>
      {PLATFORMS.map((platform) => {
        const link = safeLink(influencer[`${platform}_link`]);
        const count = influencer[`${platform}_followers`];
        if (!link && !count) return null;
        const content = (
          <>
            <PlatformIcon platform={platform} />
            <span className="sm muted">{PLATFORM_NAMES[platform]}</span>
            {count ? <b className="num">{count}</b> : null}
          </>
        );
        return link ? (
          <a key={platform} className="row pill" href={link} target="_blank" rel="noopener noreferrer">
            {content}
          </a>
        ) : (
          <span key={platform} className="row pill">
            {content}
          </span>
        );
      })}
      {website ? (
        <a className="row pill" href={website} target="_blank" rel="noopener noreferrer">
          <Globe className="i" aria-hidden="true" />
          <b>Website</b>
          <ArrowUpRight className="i i16" aria-hidden="true" />
        </a>
      ) : null}
    </div>
  );
}

function Services({ influencer }: { influencer: Influencer }) {
  const services = servicesOf(influencer.services);
  if (services.length === 0) return null;
  return (
    <section aria-labelledby="services">
      <h2 id="services" style={{ fontSize: 28, margin: '48px 0 16px' }}>
        Services I Provide
      </h2>
      <ul className="card">
        {services.map((service) => (
          <li key={`${service.title}-${service.description}`} className="row service">
            <div className="grow">
              <h3 style={{ fontSize: 19 }}>{service.title}</h3>
              <p className="muted" style={{ marginTop: 4, maxWidth: '58ch' }}>
                {service.description}
              </p>
            </div>
            {service.price ? <b className="num service-price">{service.price}</b> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function WorkAndReviews({ influencer }: { influencer: Influencer }) {
  const posts = postsOf(influencer.content_posts);
  const [tab, setTab] = useState('content');
  return (
    <Tabs.Root value={tab} onValueChange={setTab} style={{ marginTop: 56 }}>
      <Tabs.List className="linetabs" aria-label="Work and reviews">
        <Tabs.Trigger value="content" className={tab === 'content' ? 'on' : ''}>
          Content <span className="count">{posts.length}</span>
        </Tabs.Trigger>
        <Tabs.Trigger value="review" className={tab === 'review' ? 'on' : ''}>
          Review <span className="count">0</span>
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="content">
        {posts.length === 0 ? (
          <EmptyState title="No content posts available yet." />
        ) : (
          <div className="posts">
            {posts.map((post, index) => (
              <span key={post.url} className="shot" style={{ aspectRatio: '1' }}>
                <Picture
                  src={post.url}
                  alt={post.title || `Work by ${influencer.name}, ${index + 1} of ${posts.length}`}
                  width={300}
                  height={300}
                  fallback={<UbinPattern seed={post.url} columns={2} rows={2} />}
                />
              </span>
            ))}
          </div>
        )}
      </Tabs.Content>
      <Tabs.Content value="review">
        <EmptyState title="No reviews yet. Be the first to leave a review!" />
      </Tabs.Content>
    </Tabs.Root>
  );
}
