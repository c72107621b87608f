import { paths } from '@/lib/paths';
import type { Role } from '@/lib/session';

/** One sign-in page serves every portal; this is what differs. */
export interface Portal {
  title: string;
  text: string;
  userType: 'influencer' | 'agency' | 'vendor';
  dashboard: string;
  /** The others: shown below the form. */
  siblings: { name: string; to: string }[];
  notThis: string;
  accepts: (roles: Role[]) => boolean;
  denied: { title: string; text?: string };
}

export const INFLUENCER_PORTAL: Portal = {
  title: 'Influencer portal',
  text: 'Keep your profile current and see gigs from agencies.',
  userType: 'influencer',
  dashboard: paths.dashboard,
  siblings: [
    { name: 'Agency Login', to: paths.agencyAuth },
    { name: 'Vendor Login', to: paths.vendorAuth },
  ],
  notThis: 'Not an influencer?',
  accepts: (roles) => roles.includes('influencer'),
  denied: { title: 'Access denied. This login is for influencers only.' },
};
