import { paths } from '@/lib/paths';
import type { Role } from '@/lib/session';

interface Message {
  title: string;
  text?: string;
}

/** One sign-in page serves every portal; this is what differs. */
export interface Portal {
  title: string;
  text: string;
  userType: 'influencer' | 'agency' | 'vendor';
  signIn: string;
  dashboard: string;
  /** Where the link of the confirmation mail leads in the end. */
  afterConfirmation: string;
  /** The others: shown below the form. */
  siblings: { name: string; to: string }[];
  notThis: string;
  accepts: (roles: Role[]) => boolean;
  welcome: Message;
  denied: Message;
}

const INFLUENCER_LOGIN = { name: 'Influencer Login', to: paths.auth };
const AGENCY_LOGIN = { name: 'Agency Login', to: paths.agencyAuth };
const VENDOR_LOGIN = { name: 'Vendor Login', to: paths.vendorAuth };

export const PORTALS: Record<Portal['userType'], Portal> = {
  influencer: {
    title: 'Influencer portal',
    text: 'Keep your profile current and see gigs from agencies.',
    userType: 'influencer',
    signIn: paths.auth,
    dashboard: paths.dashboard,
    afterConfirmation: paths.dashboard,
    siblings: [AGENCY_LOGIN, VENDOR_LOGIN],
    notThis: 'Not an influencer?',
    accepts: (roles) => roles.includes('influencer'),
    welcome: { title: 'Signed in successfully!' },
    denied: { title: 'Access denied. This login is for influencers only.' },
  },
  agency: {
    title: 'Agency portal',
    text: 'Show what your agency does and post gigs.',
    userType: 'agency',
    signIn: paths.agencyAuth,
    dashboard: paths.agencyDashboard,
    afterConfirmation: paths.agencyDashboard,
    siblings: [INFLUENCER_LOGIN, VENDOR_LOGIN],
    notThis: 'Not an agency?',
    accepts: (roles) => roles.includes('agency'),
    welcome: { title: 'Signed in successfully!' },
    denied: { title: 'Access denied. This login is for agencies only.' },
  },
  vendor: {
    title: 'Vendor portal',
    text: 'Keep your business where brands and agencies look for it.',
    userType: 'vendor',
    signIn: paths.vendorAuth,
    dashboard: paths.vendorDashboard,
    afterConfirmation: paths.home,
    siblings: [INFLUENCER_LOGIN, AGENCY_LOGIN],
    notThis: 'Not a vendor?',
    // One role among several is enough.
    accepts: (roles) => roles.includes('vendor'),
    welcome: { title: 'Welcome back!', text: 'You have successfully signed in' },
    denied: { title: 'Access denied', text: 'This account is not registered as a vendor' },
  },
};

export const isAdmin = (roles: Role[]): boolean => roles.includes('admin') || roles.includes('superadmin');

/** A way in, as a page's address names it, and what lies behind. */
export interface Door {
  name: string;
  signIn: string;
  dashboard: string;
  accepts: (roles: Role[]) => boolean;
}

const doorTo = ({ userType, signIn, dashboard, accepts }: Portal): Door => ({
  name: userType,
  signIn,
  dashboard,
  accepts,
});

const DOORS: [Door, ...Door[]] = [
  doorTo(PORTALS.influencer),
  doorTo(PORTALS.agency),
  doorTo(PORTALS.vendor),
  { name: 'admin', signIn: paths.adminLogin, dashboard: paths.admin, accepts: isAdmin },
];

/** Influencers' for want of a name. */
export const doorNamed = (name: string | null): Door => DOORS.find((door) => door.name === name) ?? DOORS[0];

/** The door of the dashboard that a link leads to. */
export const doorBefore = (path: string | undefined): Door | undefined => DOORS.find((door) => door.dashboard === path);

/** Where somebody who is signed in goes: as the link says, unless that is another role's dashboard. */
export function destination(
  next: string | undefined,
  identity: { roles: Role[]; dashboardPath: string | undefined },
): string {
  const own = identity.dashboardPath ?? paths.home;
  if (!next || next === paths.home) return own;
  const door = doorBefore(next);
  return door && !door.accepts(identity.roles) ? own : next;
}
