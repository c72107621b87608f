import { FileText, Handshake, type LucideIcon, Mail, ShieldCheck } from 'lucide-react';
import { paths } from '@/lib/paths';
import type { Role } from '@/lib/session';

interface AccountLink {
  name: string;
  to: string;
  icon: LucideIcon;
}

/** The pages of an account in the account menu and the phone menu. Only influencers apply for gigs. */
export const accountLinks = (roles: readonly Role[]): AccountLink[] => [
  { name: 'Enquiries', to: paths.enquiries, icon: Mail },
  ...(roles.includes('influencer') ? [{ name: 'Applications', to: paths.applications, icon: FileText }] : []),
  { name: 'Collaborations', to: paths.collaborations, icon: Handshake },
  { name: 'Security', to: paths.security, icon: ShieldCheck },
];
