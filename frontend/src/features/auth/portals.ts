import { paths } from '@/lib/paths';
import type { Role } from '@/lib/session';

interface Message {
  title: string;
  text?: string;
}

/** All portals share one sign-in page; these are the differences. */
export interface Portal {
  title: string;
  text: string;
  userType: 'influencer' | 'agency' | 'vendor';
  signIn: string;
  dashboard: string;
  /** Where the link in the confirmation e-mail leads after confirming. */
  afterConfirmation: string;
  /** The other portals, linked below the form. */
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
    text: 'List your business where brands and agencies look for suppliers.',
    userType: 'vendor',
    signIn: paths.vendorAuth,
    dashboard: paths.vendorDashboard,
    afterConfirmation: paths.home,
    siblings: [INFLUENCER_LOGIN, AGENCY_LOGIN],
    notThis: 'Not a vendor?',
    // An account with several roles needs only one to match.
    accepts: (roles) => roles.includes('vendor'),
    welcome: { title: 'Welcome back!', text: 'You have successfully signed in' },
    denied: { title: 'Access denied', text: 'This account is not registered as a vendor' },
  },
};

export const isAdmin = (roles: Role[]): boolean => roles.includes('admin') || roles.includes('superadmin');

/** A sign-in page (three portals and the admin login): its name in URLs, its paths and the roles it accepts. */
export interface Login {
  name: string;
  title: string;
  signIn: string;
  dashboard: string;
  accepts: (roles: Role[]) => boolean;
}

const LOGIN_NAMES: Record<Portal['userType'], string> = {
  influencer: INFLUENCER_LOGIN.name,
  agency: AGENCY_LOGIN.name,
  vendor: VENDOR_LOGIN.name,
};

const loginOf = ({ userType, signIn, dashboard, accepts }: Portal): Login => ({
  name: userType,
  title: LOGIN_NAMES[userType],
  signIn,
  dashboard,
  accepts,
});

const LOGINS: [Login, ...Login[]] = [
  loginOf(PORTALS.influencer),
  loginOf(PORTALS.agency),
  loginOf(PORTALS.vendor),
  { name: 'admin', title: 'Admin login', signIn: paths.adminLogin, dashboard: paths.admin, accepts: isAdmin },
];

/** Defaults to the influencer portal. */
export const loginNamed = (name: string | null): Login => LOGINS.find((login) => login.name === name) ?? LOGINS[0];

/** The sign-in page of the dashboard that a link leads to. */
export const loginForDashboard = (path: string | undefined): Login | undefined =>
  LOGINS.find((login) => login.dashboard === path);

/** The sign-in page for an account with these roles. */
export const loginFor = (roles: Role[]): Login | undefined => LOGINS.find((login) => login.accepts(roles));

/** Where to go after signing in: to `next`, unless that is another role's dashboard. */
export function destination(
  next: string | undefined,
  identity: { roles: Role[]; dashboardPath: string | undefined },
): string {
  const own = identity.dashboardPath ?? paths.home;
  if (!next || next === paths.home) return own;
  const login = loginForDashboard(next);
  return login && !login.accepts(identity.roles) ? own : next;
}
