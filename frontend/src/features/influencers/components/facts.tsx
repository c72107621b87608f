import {
  Cake,
  CalendarDays,
  Languages,
  type LucideIcon,
  MapPin,
  Megaphone,
  MoonStar,
  Ruler,
  Users,
} from 'lucide-react';
import { cardVariants } from '@/components/ui/card';
import { monthOf } from '@/lib/dates';
import { audienceLabel, shortCount } from '@/lib/followers';
import { PLATFORM_NAMES, type Platform } from '@/lib/platforms';
import { reachOf } from '../profile-data';
import type { Influencer } from '../queries';

/** The facts that brands compare; '-' for unknown ones. */
export function Facts({ influencer }: { influencer: Influencer }) {
  return (
    <FactList
      facts={[
        [MapPin, 'Location', influencer.location],
        [Cake, 'Age', influencer.age?.toString()],
        [Ruler, 'Height', influencer.height],
        [Users, 'Ethnicity', influencer.ethnicity],
        [MoonStar, 'Religion', influencer.religion],
      ]}
    />
  );
}

export function MoreFacts({ influencer }: { influencer: Influencer }) {
  return (
    <FactList
      facts={[
        [Megaphone, 'Audience', audienceLabel(reachOf(influencer).total)],
        [Languages, 'Language', influencer.language],
        [CalendarDays, 'On Serasi since', influencer.created_at ? monthOf(influencer.created_at) : null],
      ]}
    />
  );
}

function FactList({ facts }: { facts: [icon: LucideIcon, name: string, value: string | null | undefined][] }) {
  return (
    <dl className={cardVariants({ className: 'mt-4 overflow-hidden' })}>
      {facts.map(([Icon, name, value]) => (
        <div key={name} className="flex items-center gap-3.5 not-first:border-border not-first:border-t px-4.5 py-3.5">
          <dt className="flex min-w-0 flex-1 items-center gap-3 text-muted-foreground text-sm">
            <Icon className="size-4.5" aria-hidden="true" />
            {name}
          </dt>
          <dd className="text-right font-semibold">{value || '-'}</dd>
        </div>
      ))}
    </dl>
  );
}

const COLORS: Record<Platform, string> = {
  instagram: '#2F57C8',
  tiktok: '#FF7A66',
  youtube: '#F6B93B',
  twitter: '#2E8B6B',
};
const NUMBERS = ['no', 'one', 'two', 'three', 'four'];

/** The share of followers on each platform; renders nothing without followers. */
export function ReachCard({ influencer }: { influencer: Influencer }) {
  const { total, shares } = reachOf(influencer);
  if (total === 0) return null;
  return (
    <section className={cardVariants({ className: 'mt-4 p-4.5' })} aria-labelledby="reach">
      <h2 className="text-[17px] tracking-[-0.01em]" id="reach">
        Where the followers are
      </h2>
      <p className="mt-2 tabular-nums">
        <b className="font-bold font-display text-[34px] leading-none tracking-[-0.03em]">{shortCount(total)}</b>{' '}
        <span className="text-muted-foreground text-sm">
          on {NUMBERS[shares.length]} {shares.length === 1 ? 'platform' : 'platforms'}
        </span>
      </p>
      <div className="mt-3.5 flex h-3.5 gap-0.5 overflow-hidden rounded-[7px]" aria-hidden="true">
        {shares.map(({ platform, percent }) => (
          <i className="block min-w-1" key={platform} style={{ width: `${percent}%`, background: COLORS[platform] }} />
        ))}
      </div>
      <ul className="mt-3.5 grid gap-1.75 text-sm tabular-nums">
        {shares.map(({ platform, percent }) => (
          <li key={platform} className="flex items-center gap-2.5">
            <i className="size-2.5 flex-none rounded-full" style={{ background: COLORS[platform] }} />
            <span className="min-w-0 flex-1">{PLATFORM_NAMES[platform]}</span>
            <b>{percent}%</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
