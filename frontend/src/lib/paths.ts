// All links of the app, so that each route is spelled out once.

export const paths = {
  home: '/',
  events: '/#events',
  explore: '/explore',
  search: '/search',
  searchInfluencers: '/search/influencers',
  searchAgencies: '/search/agencies',
  searchVendors: '/search/vendors',
  gigs: '/gigs',
  pricing: '/pricing',
  favorites: '/favorites',
  auth: '/auth',
  agencyAuth: '/agency-auth',
  vendorAuth: '/vendor-auth',
  dashboard: '/dashboard',
  agencyDashboard: '/agency-dashboard',
  vendorDashboard: '/vendor-dashboard',
  adminLogin: '/admin/login',
  admin: '/admin',
  superadmin: '/superadmin',
  audit: '/superadmin/audit',
  manage: (kind: string, id: string) => `/admin/${kind}/${encodeURIComponent(id)}`,
  page: (name: string) => `/${name}`,
  /** The Sign Up tab of a portal, with the package chosen on the pricing page. */
  signUp: (portal: string, packageName: string) => `${portal}?tab=sign-up&package=${packageName}`,
  helpCenter: '/help-center',
  agency: (id: string) => `/agency/${encodeURIComponent(id)}`,
  profile: (id: string) => `/profile/${encodeURIComponent(id)}`,
  searchFor: (text: string) => `/search?q=${encodeURIComponent(text)}`,
  searchCategory: (category: string) =>
    category === 'All' ? '/search/influencers' : `/search/influencers?category=${encodeURIComponent(category)}`,
} as const;
