import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import type { Section } from './components/text-page';

const KEPT: [what: string, why: string][] = [
  ['E-mail and password', 'To sign you in. The password is stored only as a hash.'],
  ['Sign-ins', 'Time, IP address and browser of each open session, so that you can end it.'],
  ['Profile fields and pictures', 'To show your public page.'],
  ['Payment details', 'Your own notes; see below.'],
  ['Favorites', 'To show them to you again.'],
  ['Newsletter address', 'To send you the newsletter, if you subscribed.'],
  ['Admin decisions', 'To document approvals, badges, closed pages and deletions.'],
];

export const PRIVACY: Section[] = [
  {
    id: 'what-we-keep',
    title: 'What we keep',
    content: (
      <>
        <p>Only what you enter, the pictures you upload, and what your account needs to work.</p>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {KEPT.map(([what, why]) => (
              <tr key={what}>
                <td>{what}</td>
                <td>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    ),
  },
  {
    id: 'in-your-browser',
    title: 'In your browser',
    content: (
      <p>
        Serasi sets no cookies and doesn't track you. Your browser keeps the session while you are signed in, and the{' '}
        <Link to={paths.favorites}>favorites</Link> you save while you are not. Unsaved input on your dashboard is kept
        in the tab for up to a day, until you save it or close the tab. Pictures you chose are kept in the browser's
        storage until you save or discard them; after a day, your next visit deletes them. Fonts and scripts come from
        Serasi itself.
      </p>
    ),
  },
  {
    id: 'who-sees-it',
    title: 'Who sees it',
    content: (
      <ul>
        <li>Approved influencer profiles, agencies and vendors are public, contact details included.</li>
        <li>An influencer profile that is not approved yet is visible only to you and the admins.</li>
        <li>Your date of birth is never shown; your age is.</li>
        <li>Gigs are visible to the agency that posted them, admins, and approved and verified influencers.</li>
        <li>Favorites are visible only to you.</li>
        <li>An account's e-mail address is visible to its owner and to admins.</li>
      </ul>
    ),
  },
  {
    id: 'payment-details',
    title: 'Payment details',
    content: <p>Only you can read them. Agencies and admins can't.</p>,
  },
  {
    id: 'e-mail',
    title: 'E-mail',
    content: (
      <p>
        We send an e-mail when your profile is approved, when you confirm an address and when you request a new
        password. You get the newsletter only if you subscribe.
      </p>
    ),
  },
  {
    id: 'your-choices',
    title: 'Your choices',
    content: (
      <ul>
        <li>Change or empty any optional field, at any time.</li>
        <li>Leave age, ethnicity and religion blank. They show as a dash.</li>
        <li>
          Ask an admin to delete your profile. Its pictures are deleted too, and it is removed from other people's
          favorites.
        </li>
      </ul>
    ),
  },
  {
    id: 'who-is-responsible',
    title: 'Who is responsible',
    content: (
      <p>
        Serasi is software run by an operator. This page describes what the software does. The operator of this site
        decides how long backups and server logs are kept, and is responsible for them.
      </p>
    ),
  },
];
