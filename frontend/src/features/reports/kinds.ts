// What can be reported. The same kinds as in the database (app.reports).

export const REPORT_KINDS = ['influencer', 'agency', 'vendor', 'gig', 'enquiry', 'application', 'review'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const isReportKind = (text: string | undefined): text is ReportKind =>
  REPORT_KINDS.some((kind) => kind === text);

/** In the middle of a sentence. */
export const NOUNS: Record<ReportKind, string> = {
  influencer: 'influencer',
  agency: 'agency',
  vendor: 'vendor',
  gig: 'gig',
  enquiry: 'enquiry',
  application: 'application',
  review: 'review',
};
