// All links of the app. The path of a page is in pages.json, together with its title; here are those with values in them.
import pages from './pages.json';

type PageName = keyof typeof pages;
const fixed = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path]));

export const paths = {
  ...(fixed as Record<PageName, string>),
  events: '/#events',
  gig: (id: string) => `/gigs/${encodeURIComponent(id)}`,
  applicants: (gigId: string) => `/gigs/${encodeURIComponent(gigId)}/applicants`,
  enquire: (id: string) => `/profile/${encodeURIComponent(id)}/enquire`,
  /** One brief to several profiles. */
  enquireAll: (ids: string[]) => `/enquire?to=${ids.join(',')}`,
  enquiry: (id: string) => `/enquiries/${encodeURIComponent(id)}`,
  manage: (kind: string, id: string) => `/admin/${kind}/${encodeURIComponent(id)}`,
  page: (name: string) => `/${name}`,
  report: (kind: string, id: string) => `/report/${kind}/${encodeURIComponent(id)}`,
  reportDesk: (id: string) => `/admin/reports/${encodeURIComponent(id)}`,
  /** The Sign Up tab of a portal, with the package chosen on the pricing page. */
  signUp: (portal: string, packageName: string) => `${portal}?tab=sign-up&package=${packageName}`,
  review: (collaboration: string) => `/review/${encodeURIComponent(collaboration)}`,
  agency: (id: string) => `/agency/${encodeURIComponent(id)}`,
  profile: (id: string) => `/profile/${encodeURIComponent(id)}`,
  searchFor: (text: string) => `/search?q=${encodeURIComponent(text)}`,
  searchCategory: (category: string) =>
    category === 'All' ? '/search/influencers' : `/search/influencers?category=${encodeURIComponent(category)}`,
};
