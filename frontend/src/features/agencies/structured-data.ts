import { absoluteLink } from '@/lib/absolute-link';
import { pictureUrl } from '@/lib/images';
import { safeLink } from '@/lib/links';
import { paths } from '@/lib/paths';
import type { Agency } from './agency-profile-queries';

/** An agency as a schema.org `Organization`. Contains only what the page shows. */
export function organization(agency: Agency, origin: string) {
  const absolute = (path: string | undefined) => absoluteLink(path, origin);
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: agency.name ?? undefined,
    legalName: agency.company_name ?? undefined,
    description: agency.description ?? undefined,
    logo: absolute(pictureUrl(agency.logo_url)),
    image: absolute(pictureUrl(agency.banner_url)),
    url: absolute(paths.agency(agency.id ?? '')),
    location: agency.location ? { '@type': 'Place', name: agency.location } : undefined,
    email: agency.email ?? undefined,
    telephone: agency.phone ?? undefined,
    sameAs: safeLink(agency.website),
  };
}
