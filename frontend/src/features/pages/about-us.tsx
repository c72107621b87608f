import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import type { Section } from './components/text-page';

export const ABOUT: Section[] = [
  {
    id: 'the-name',
    title: 'The name',
    content: (
      <p>
        <i lang="ms">Serasi</i> is Malay: compatible, in harmony. Two things that fit. A brand and a creator who fit
        each other need fewer words, and their work shows it.
      </p>
    ),
  },
  {
    id: 'what-it-does',
    title: 'What it does',
    content: (
      <>
        <p>Serasi is a marketplace for Malaysia where brands find three kinds of people:</p>
        <ul>
          <li>
            <Link to={paths.search}>Influencers</Link>, with their followers on each platform, their services and their
            work on one page.
          </li>
          <li>
            <Link to={paths.searchAgencies}>Agencies</Link> for marketing, PR and talent search, who post gigs for
            influencers.
          </li>
          <li>
            <Link to={paths.searchVendors}>Vendors</Link> of equipment, services, catering, production and technical
            work for events.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'how-profiles-get-here',
    title: 'How profiles get here',
    content: (
      <p>
        People write their own profiles. An admin reviews every influencer profile before it is public, and a badge next
        to a name means that an admin has verified the account. Influencers enter their own follower counts.
      </p>
    ),
  },
  {
    id: 'what-it-is-not',
    title: 'What it is not',
    content: (
      <p>
        Serasi handles no payments or messages: people meet here and agree on terms elsewhere. The{' '}
        <Link to={paths.pricing}>packages</Link> show what each plan is meant to include; today no feature requires one.
        The events on the home page are samples.
      </p>
    ),
  },
  {
    id: 'social-networks',
    title: 'On social networks',
    content: (
      <p>
        Serasi has no accounts on Instagram, TikTok, YouTube or Twitter yet. Until then, the icons in the footer link
        here.
      </p>
    ),
  },
];
