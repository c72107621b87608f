import { apiUrl } from '@/lib/env';
import type { Section } from './components/text-page';

const SERVICES: [path: string, what: string][] = [
  ['/rest/v1', 'Tables, through the PostgREST API: filters, sorting, pages, counts, embedded rows.'],
  ['/auth/v1', 'Accounts and sessions.'],
  ['/storage/v1', 'Pictures.'],
  ['/functions/v1', 'The create-admin function, for superadmins.'],
];

const TABLES: [table: string, readers: string][] = [
  ['influencers', 'Approved profiles: everyone. Other profiles: their owner and admins.'],
  ['agencies, vendors', 'Everybody.'],
  ['gigs', 'Approved and verified influencers, admins, the agency that posted them.'],
  ['favorites, notices, profiles, user_roles', 'Your own rows, when signed in.'],
];

export function apiSections(key: string): Section[] {
  const example = [
    `curl '${apiUrl('/rest/v1/influencers')}?select=name,username,category&category=eq.Travel&limit=3' \\`,
    `  -H 'apikey: ${key}'`,
  ].join('\n');
  return [
    {
      id: 'where',
      title: 'Endpoints',
      content: (
        <>
          <p>
            Your programs can read the same data as these pages, through the same endpoints under{' '}
            <code>{apiUrl('/')}</code>
          </p>
          <Table head={['Path', 'Service']} rows={SERVICES} code />
          <p>
            Unmodified Supabase clients work: configure them with this URL and the public key. An OpenAPI description of
            all tables is at <code>/rest/v1/</code>.
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
            Send it in the <code>apikey</code> header. It identifies you as a visitor and gives access only to what
            visitors can see, so it isn't a secret.
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
          <code>POST /auth/v1/token?grant_type=password</code> with e-mail and password returns an access token. Send it
          as <code>Authorization: Bearer …</code> to read and change your own data. It expires after an hour; use the
          refresh token from the same response to get a new one.
        </p>
      ),
    },
    {
      id: 'who-reads-what',
      title: 'Who can read what',
      content: (
        <>
          <p>Row-level security applies to API requests exactly as it does to these pages.</p>
          <Table head={['Table', 'Read by']} rows={TABLES} code />
          <p>
            Errors have an HTTP status and a JSON body with <code>code</code> and <code>message</code>. Rows you may not
            see are missing from lists, and columns you may not read are null.
          </p>
        </>
      ),
    },
    {
      id: 'manners',
      title: 'Limits',
      content: (
        <p>
          Request only the columns and rows that you need. A visitor's query is canceled after three seconds, a
          signed-in account's after eight. Sign-in attempts are rate-limited.
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
