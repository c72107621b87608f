import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import type { Section } from './components/text-page';

const KEPT: [what: string, why: string][] = [
  ['E-mail and password', 'To sign you in. The password is stored only as a hash.'],
  ['Sign-ins', 'Time, network address and browser of each open session, so that it can be ended.'],
  ['Profile fields and pictures', 'To show your public page.'],
  ['Payment details', 'Your own notes; see below.'],
  ['Favorites', 'To show them to you again.'],
  ['Newsletter address', 'To send the newsletter, if you asked for it.'],
  ['Admin decisions', 'So that approvals, badges, closed pages and deletions can be explained.'],
];

export const PRIVACY: Section[] = [
  {
    id: 'what-we-keep',
    title: 'What we keep',
    content: (
      <>
        <p>Only what you type in, the pictures you upload, and what a working account needs.</p>
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
        Serasi sets no cookies and follows nobody. Your browser keeps the session while you are signed in, and the{' '}
        <Link to={paths.favorites}>favorites</Link> you save while you are not. What you type on your dashboard and have
        not saved, the tab keeps for a day, until it is saved or you close the tab; pictures you chose stay in the
        browser's own database until then, a day at most if you come back. Fonts and scripts come from Serasi itself.
      </p>
    ),
  },
  {
    id: 'who-sees-it',
    title: 'Who sees it',
    content: (
      <ul>
        <li>Approved influencer profiles, agencies and vendors are public, contact details included.</li>
        <li>An influencer profile that is not approved yet is seen by you and the admins alone.</li>
        <li>Your date of birth is never shown; your age is.</li>
        <li>Gigs are seen by the agency that posted them, admins, and approved and verified influencers.</li>
        <li>Favorites are seen by you alone.</li>
        <li>The e-mail of an account is seen by its owner and by admins.</li>
      </ul>
    ),
  },
  {
    id: 'payment-details',
    title: 'Payment details',
    content: <p>You alone can read them. Agencies can't, and neither can admins.</p>,
  },
  {
    id: 'e-mail',
    title: 'E-mail',
    content: (
      <p>
        We write when your profile is approved, when you confirm an address and when you ask for a new password. The
        newsletter is separate and you choose it.
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
        <li>Ask an admin to delete your profile. Its pictures go with it, and it leaves other people's favorites.</li>
      </ul>
    ),
  },
  {
    id: 'who-is-responsible',
    title: 'Who is responsible',
    content: (
      <p>
        Serasi is software that somebody runs. This page says what the software does; whoever runs this copy decides how
        long back-ups and server logs are kept, and answers for them.
      </p>
    ),
  },
];
