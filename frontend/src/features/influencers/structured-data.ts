import { absoluteLink } from '@/lib/absolute-link';
import { pictureUrl } from '@/lib/images';
import { safeLink } from '@/lib/links';
import { paths } from '@/lib/paths';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/platforms';
import type { Influencer } from './queries';

/** An influencer's page as a schema.org `ProfilePage`. Contains only what the page shows. */
export function profilePage(influencer: Influencer, origin: string) {
  const absolute = (path: string | undefined) => absoluteLink(path, origin);
  const links = [...PLATFORMS.map((platform) => influencer[`${platform}_link`]), influencer.website_link];
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    // The page shows the month only.
    dateCreated: influencer.created_at?.slice(0, 7),
    mainEntity: {
      '@type': 'Person',
      name: influencer.name ?? undefined,
      alternateName: influencer.username ?? undefined,
      description: influencer.bio ?? undefined,
      image: absolute(pictureUrl(influencer.profile_image)),
      url: absolute(paths.profile(influencer.id ?? '')),
      homeLocation: influencer.location ? { '@type': 'Place', name: influencer.location } : undefined,
      knowsLanguage: influencer.language ?? undefined,
      sameAs: links.map(safeLink).filter((link) => link !== undefined),
      interactionStatistic: PLATFORMS.map((platform) => [platform, influencer[`${platform}_followers_count`]] as const)
        .filter(([, followers]) => followers)
        .map(([platform, followers]) => ({
          '@type': 'InteractionCounter',
          interactionType: 'https://schema.org/FollowAction',
          userInteractionCount: followers,
          interactionService: { '@type': 'WebSite', name: PLATFORM_NAMES[platform] },
        })),
    },
  };
}
