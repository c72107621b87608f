// The yearly packages. Display texts only: nothing is enforced.
import { paths } from '@/lib/paths';

export type Badge = 'blue' | 'gold' | 'platinum';

export interface Plan {
  badge: Badge;
  name: string;
  pitch: string;
  /** Ringgit per year. */
  price: number;
  /** Included and missing features. All cards of a user type list the same rows. */
  features: { text: string; included: boolean }[];
}

export interface Audience {
  /** The value in the URL. */
  key: string;
  title: string;
  role: 'influencer' | 'agency' | 'vendor';
  portal: string;
  dashboard: string;
  plans: Plan[];
}

const NAMES: Record<Badge, string> = { blue: 'Blue', gold: 'Gold', platinum: 'Platinum' };

/** Rows that start with a minus are not included in the plan. */
function plan(badge: Badge, price: number, pitch: string, rows: string[]): Plan {
  return {
    badge,
    name: NAMES[badge],
    pitch,
    price,
    features: rows.map((row) => ({ text: row.replace(/^- /, ''), included: !row.startsWith('- ') })),
  };
}

export const AUDIENCES: [Audience, ...Audience[]] = [
  {
    key: 'influencers',
    title: 'Influencers',
    role: 'influencer',
    portal: paths.auth,
    dashboard: paths.dashboard,
    plans: [
      plan('blue', 200, 'Get listed and be found.', [
        'Basic listing',
        'Limited message quota',
        '- Verified badge',
        '- Priority visibility',
        '- Featured placement',
        '- Campaign manager',
      ]),
      plan('gold', 400, 'For creators who work with brands every month.', [
        'Basic listing',
        'Unlimited messages',
        'Verified badge',
        'Priority visibility',
        '- Featured placement',
        '- Campaign manager',
      ]),
      plan('platinum', 800, 'For the most visibility, with a campaign manager.', [
        'Basic listing',
        'Unlimited messages',
        'Verified badge',
        'Priority visibility',
        'Featured placement',
        'Campaign manager',
      ]),
    ],
  },
  {
    key: 'agencies',
    title: 'Agencies',
    role: 'agency',
    portal: paths.agencyAuth,
    dashboard: paths.agencyDashboard,
    plans: [
      plan('blue', 200, 'Look around and get to know creators.', [
        'Limited influencer profile views per day',
        '1 admin seat',
        '- Gigs',
        '- Events',
      ]),
      plan('gold', 1000, 'For a steady run of campaigns.', [
        'Everything in Blue',
        '5 gigs',
        '5 events',
        '- Unlimited admin seats',
      ]),
      plan('platinum', 2500, 'For teams that post every week.', [
        'Everything in Gold',
        'Unlimited gigs',
        'Unlimited events',
        'Unlimited admin seats',
      ]),
    ],
  },
  {
    key: 'vendors',
    title: 'Vendors',
    role: 'vendor',
    portal: paths.vendorAuth,
    dashboard: paths.vendorDashboard,
    plans: [
      plan('blue', 200, 'One package for every supplier.', [
        'A card in vendor search',
        'Your logo, type and location',
        'Website and Contact buttons',
      ]),
    ],
  },
];

const RINGGIT = new Intl.NumberFormat('en-MY');

/** Formats 1000 as '1,000'; the currency is shown beside it. */
export const shownPrice = (price: number): string => RINGGIT.format(price);
