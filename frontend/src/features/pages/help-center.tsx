import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import type { Section } from './components/text-page';

export const HELP: Section[] = [
  {
    id: 'finding-people',
    title: 'Finding people',
    content: (
      <>
        <p>
          You don't need an account to browse. <Link to={paths.search}>Search influencers</Link> by name, industry,
          followers, age, location, language, ethnicity and badge. <Link to={paths.searchAgencies}>Agencies</Link> and{' '}
          <Link to={paths.searchVendors}>vendors</Link> have lists of their own.
        </p>
        <ul>
          <li>The page's URL contains your search. Copy the link to share the results.</li>
          <li>
            Press Save on a profile to find it in <Link to={paths.favorites}>Favorites</Link>. When you are signed in,
            your favorites are available on every device.
          </li>
          <li>A profile page needs a desktop screen. On a phone, copy its link and open it there.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'getting-approved',
    title: 'Getting approved',
    content: (
      <>
        <p>A new influencer profile waits for an admin's review. Agencies can't see it until then.</p>
        <ol>
          <li>Fill in your name, username and category, and press Save Profile.</li>
          <li>Add the platforms you use and at least one service.</li>
          <li>When your profile is approved, you get an e-mail and a notice on your dashboard.</li>
        </ol>
        <p>You don't need to request approval. Saving is enough.</p>
      </>
    ),
  },
  {
    id: 'badges-and-gigs',
    title: 'Badges and gigs',
    content: (
      <>
        <p>
          A badge shows that an account is verified. It comes in blue, gold and platinum, and is awarded by an admin.
        </p>
        <p>
          <Link to={paths.gigs}>Gigs</Link> are visible when your profile is both approved and verified.
        </p>
      </>
    ),
  },
  {
    id: 'for-agencies',
    title: 'For agencies',
    content: (
      <>
        <p>
          Save your Basic Info once, then post gigs from the Gigs tab. Contact details on your page are public: anybody
          can write to you.
        </p>
        <h3>Why is the WhatsApp button disabled?</h3>
        <p>
          The profile has no phone number. Add one under Contact & Details. Include the country code unless it is a
          Malaysian number.
        </p>
      </>
    ),
  },
  {
    id: 'for-vendors',
    title: 'For vendors',
    content: (
      <p>
        Confirm your e-mail before you sign in for the first time. Your listing is one card: keep the description to
        three lines, so that it is never cut off.
      </p>
    ),
  },
  {
    id: 'signing-in',
    title: 'Signing in',
    content: (
      <ul>
        <li>
          Each kind of account has its own login: <Link to={paths.auth}>Influencer Login</Link>,{' '}
          <Link to={paths.agencyAuth}>Agency Login</Link>, <Link to={paths.vendorAuth}>Vendor Login</Link>. If one says
          access denied, try the other two.
        </li>
        <li>Forgot the password? Request a link to set a new one on any login page; you get it by e-mail.</li>
        <li>A page that is closed to your account was turned off by an admin. Ask them why.</li>
        <li>
          When an admin deletes a profile, its pictures and gigs are deleted too. The account stays, so you can start
          again.
        </li>
      </ul>
    ),
  },
  {
    id: 'write-to-us',
    title: 'Write to us',
    content: (
      <p>
        Serasi has no help desk yet. Write to the operator of this site. Describe what you did and what happened. To
        reach an agency or a vendor, use the contact details on its page or card.
      </p>
    ),
  },
];
