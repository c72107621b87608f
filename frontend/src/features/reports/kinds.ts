// The kinds of subjects that can be reported, and the reasons: the same as in the database (app.reports).
import { paths } from '@/lib/paths';

export const REPORT_KINDS = ['influencer', 'agency', 'vendor', 'gig', 'enquiry', 'application', 'review'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const isReportKind = (text: string | undefined): text is ReportKind =>
  REPORT_KINDS.some((kind) => kind === text);

/** With a capital letter, for lists. */
export const KIND_LABELS: Record<ReportKind, string> = {
  influencer: 'Influencer',
  agency: 'Agency',
  vendor: 'Vendor',
  gig: 'Gig',
  enquiry: 'Enquiry',
  application: 'Application',
  review: 'Review',
};

/** In the middle of a sentence. */
export const nounOf = (kind: ReportKind): string => KIND_LABELS[kind].toLowerCase();

/** The reasons that people choose from. */
export const REASONS = [
  [
    'scam',
    'Asks for money or looks like a scam',
    'Wants a deposit or a fee, or to move the chat elsewhere, before any work.',
  ],
  ['fake', 'Pretends to be someone else', 'Uses someone else’s name, pictures or company.'],
  ['spam', 'Spam', 'Advertising, or the same text repeated.'],
  ['offensive', 'Offensive or harassing', 'Insults, threats, hate or sexual content.'],
  ['illegal', 'Illegal or unsafe', 'Breaks the law or puts people at risk.'],
  ['other', 'Something else', 'Tell us below.'],
] as const;
export type Reason = (typeof REASONS)[number][0];

/** A reason in lists; `words` is the database's own. */
export const reasonLabel = (reason: string): string =>
  reason === 'words' ? 'Suspicious words' : (REASONS.find(([name]) => name === reason)?.[1] ?? reason);

/** The page to go back to from the report form. */
export function subjectPath(kind: ReportKind, id: string): string {
  switch (kind) {
    case 'influencer':
      return paths.profile(id);
    case 'agency':
      return paths.agency(id);
    case 'vendor':
      return paths.searchVendors;
    case 'gig':
      return paths.gig(id);
    case 'enquiry':
      return paths.enquiry(id);
    case 'application':
      return `${paths.agencyDashboard}?tab=gigs`;
    default:
      return paths.home;
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isId = (text: string | undefined): text is string => UUID.test(text ?? '');
