import type { Page } from '@/lib/session';

const NAMES: Record<Page, string> = {
  influencer: 'Influencers',
  agencies: 'Agencies',
  events: 'Events',
  gigs: 'Gigs',
};

export const closedSentence = (page: Page) => `An admin has turned off the ${NAMES[page]} page for you.`;
