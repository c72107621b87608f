import { apiUrl } from '@/lib/env';
import type { Section } from './components/text-page';

const SERVICES: [path: string, what: string][] = [
  ['/rest/v1', 'Tables, as PostgREST answers: filters, sorting, pages, counts, embedded rows.'],
  ['/auth/v1', 'Accounts and sessions.'],
  ['/storage/v1', 'Pictures.'],
  ['/functions/v1', 'create-admin, for superadmins.'],
];

const TABLES: [table: string, readers: string][] = [
  ['influencers', 'Approved ones: everybody. Others: their owner and admins.'],
  ['agencies, vendors', 'Everybody.'],
  ['gigs', 'Approved and verified influencers, admins, the agency that posted them.'],
  ['favorites, notices, profiles, user_roles', 'Your own rows, signed in.'],
];

export function apiSections(key: string): Section[] {
  const example = [
    `curl '${apiUrl('/rest/v1/influencers')}?select=name,username,category&category=eq.Travel&limit=3' \\`,
    `  -H 'apikey: ${key}'`,
  ].join('\n');
  return [
    {
      id: 'where',
      title: 'Where',
      content: (
        <>
          <p>
            Everything that these pages show, they read through the same addresses that your program can use, below{' '}
            <code>{apiUrl('/')}</code>
          </p>
          <Table head={['Path', 'What answers']} rows={SERVICES} code />
          <p>
            Unmodified Supabase clients work: give them the address and the public key. The description of all tables,
            as OpenAPI, is at <code>/rest/v1/</code>.
          </p>
        </>
      ),
    },
    {
      id: 'public-key',
      title: 'The public key',
      content: (
        <>
          <p>
            Send it as the header <code>apikey</code>. It says that you are a visitor and opens nothing that a visitor
            can't see, so it is no secret.
          </p>
          <Code label="Public key" text={key} />
        </>
      ),
    },
    {
      id: 'example',
      title: 'An example',
      content: <Code label="Example" text={example} />,
    },
    {
      id: 'signed-in',
      title: 'Signed in',
      content: (
        <p>
          <code>POST /auth/v1/token?grant_type=password</code> with e-mail and password answers an access token. Sent as{' '}
          <code>Authorization: Bearer …</code> it lets you read and change what is yours. It lasts an hour; the refresh
          token in the same answer makes a new one.
        </p>
      ),
    },
    {
      id: 'who-reads-what',
      title: 'Who reads what',
      content: (
        <>
          <p>The database decides row by row, for programs exactly as for these pages.</p>
          <Table head={['Table', 'Read by']} rows={TABLES} code />
          <p>
            A refusal is a status with a JSON body of <code>code</code> and <code>message</code>. What you may not see
            is not there: a list without it, or a column that is null.
          </p>
        </>
      ),
    },
    {
      id: 'manners',
      title: 'Manners',
      content: (
        <p>
          Ask for the columns and rows that you need. A visitor's query may take three seconds, an account's eight; then
          it is ended. Sign-ins are limited per address.
        </p>
      ),
    },
  ];
}

function Table({ head, rows, code }: { head: [string, string]; rows: [string, string][]; code?: boolean }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, text]) => (
          <tr key={name}>
            <td>{code ? <code>{name}</code> : name}</td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Scrolls horizontally if it is too wide, and can be scrolled by keyboard. */
function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
