import { paths } from '@/lib/paths';

export const LOGINS = [
  { name: 'Agency Login', to: paths.agencyAuth, seed: 'quarter' },
  { name: 'Vendor Login', to: paths.vendorAuth, seed: 'bunga' },
  { name: 'Influencer Login', to: paths.auth, seed: 'leaf' },
] as const;
