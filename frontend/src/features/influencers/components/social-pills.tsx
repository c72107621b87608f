import { cva } from 'class-variance-authority';
import { ArrowUpRight, Globe } from 'lucide-react';
import { PlatformIcon } from '@/components/platform-icon';
import { safeLink } from '@/lib/links';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/platforms';
import type { Influencer } from '../queries';

const pill = cva(
  'flex min-h-12 items-center gap-2.5 rounded-full bg-card pr-4.5 pl-3.5 inset-ring-[1.5px] inset-ring-border',
  {
    variants: { link: { true: 'hover:inset-ring-input' } },
  },
);

/** The links and follower counts of each platform, and the website. */
export function SocialPills({ influencer }: { influencer: Influencer }) {
  const website = safeLink(influencer.website_link);
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2.5">
      {PLATFORMS.map((platform) => {
        const link = safeLink(influencer[`${platform}_link`]);
        const count = influencer[`${platform}_followers`];
        if (!link && !count) return null;
        const content = (
          <>
            <PlatformIcon platform={platform} />
            <span className="text-muted-foreground text-sm">{PLATFORM_NAMES[platform]}</span>
            {count ? <b className="tabular-nums">{count}</b> : null}
          </>
        );
        return link ? (
          <a key={platform} className={pill({ link: true })} href={link} target="_blank" rel="noopener noreferrer">
            {content}
          </a>
        ) : (
          <span key={platform} className={pill()}>
            {content}
          </span>
        );
      })}
      {website ? (
        <a className={pill({ link: true })} href={website} target="_blank" rel="noopener noreferrer">
          <Globe aria-hidden="true" />
          <b>Website</b>
          <ArrowUpRight className="size-4" aria-hidden="true" />
        </a>
      ) : null}
    </div>
  );
}
