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
import { monthOf } from '@/lib/dates';
import { audienceLabel, PLATFORM_NAMES, type Platform, shortCount } from '@/lib/followers';
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
    <dl className="card facts">
      {facts.map(([Icon, name, value]) => (
        <div key={name} className="row">
          <dt className="row grow sm muted">
            <Icon className="i i18" aria-hidden="true" />
            {name}
          </dt>
          <dd>{value || '-'}</dd>
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
    <section className="card reach" aria-labelledby="reach">
      <h2 id="reach">Where the followers are</h2>
      <p className="num" style={{ marginTop: 8 }}>
        <b>{shortCount(total)}</b>{' '}
        <span className="sm muted">
          on {NUMBERS[shares.length]} {shares.length === 1 ? 'platform' : 'platforms'}
        </span>
      </p>
      <div className="seg4" style={{ marginTop: 14 }} aria-hidden="true">
        {shares.map(({ platform, percent }) => (
          <i key={platform} style={{ width: `${percent}%`, background: COLORS[platform] }} />
        ))}
      </div>
      <ul className="stack sm num" style={{ gap: 7, marginTop: 14 }}>
        {shares.map(({ platform, percent }) => (
          <li key={platform} className="row" style={{ gap: 10 }}>
            <i className="dot" style={{ background: COLORS[platform] }} />
            <span className="grow">{PLATFORM_NAMES[platform]}</span>
            <b>{percent}%</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
