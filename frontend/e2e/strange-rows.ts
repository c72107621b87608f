// Profiles with unusual values: input that users type into forms, and values that break filters.
import pg from 'pg';

const NAMES = [
  'Aina 100%',
  'Ng_Li',
  'back\\slash',
  'ends in \\',
  '"Quoted", name',
  "O'Brien (KL)",
  'a*b star',
  'axb plain',
  'A*B*C',
  'Élodie',
  'ÉLAN',
  'caps lock',
  'CAPS LOCK',
  'comma, dot. colon: (paren)',
  '50% off_',
  '%',
  '_',
  '*',
  '\\',
  '\\%\\_',
  'curly {x} [y]',
  'question? +plus^ $dollar |bar',
  'new.line',
  '日本語の人',
  'party 🎉',
  'and(name.eq.x)',
  'null',
  'is.null',
  'Li',
  'Ng',
] as const;
const CATEGORIES = ['Fashion', 'fashion', 'Tech', 'Beauty', 'Food & Drink', 'Fashion, Beauty', 'Travel'] as const;
const LOCATIONS = [
  null,
  '',
  'Kuala Lumpur',
  'KUCHING, Sarawak',
  'Pulau * Pinang',
  '50%_',
  'kuala "KL" (Selangor)',
  'Ipoh\\',
];
const LANGUAGES = [null, 'English', 'Chinese', 'Other', 'english', ''];
const ETHNICITIES = [null, 'Malay', 'Iban', 'Orang Ulu', 'Mixed', 'Indian', 'Singh'];
const AGES = [null, 17, 18, 20, 30, 45, 60, 61];
const BADGES = ['none', 'blue', 'gold', 'platinum'];
const FOLLOWERS = [
  null,
  '',
  '2.5M',
  '10K',
  '1,200',
  '10k',
  '10,000',
  'lots',
  'K',
  '12 K',
  '9999999',
  '10M',
  '10000001',
  '12.4M+',
  '5K',
  '5001',
  '20K',
  '0',
  '1.5m',
  '999',
  '100K',
  '2.3M',
  '500,000',
  '-5K',
  '1.2.3K',
];
const AGENCY_TYPES = [null, '', 'Marketing', 'PR', 'Talent Search'];
const VENDOR_TYPES = [null, '', 'Equipment', 'Services', 'Catering', 'Production', 'Technical'];
const DESCRIPTIONS = [null, '', 'We film 100% halal food_stuff', 'Back\\stage * crew', 'Two, three (or "four") vans'];

const ROWS = 60;

const of = <Value>(list: readonly Value[], index: number): Value => list[index % list.length] as Value;
const idOf = (kind: number, index: number) => `57a4e000-000${kind}-4000-8000-${String(index).padStart(12, '0')}`;
/** Groups of five share a timestamp to the microsecond, so that the id decides the order. */
const momentOf = (index: number) => `2019-01-01T00:00:00.${String(100_000 + Math.floor(index / 5)).padStart(6, '0')}Z`;

const people = () =>
  Array.from({ length: ROWS }, (_, index) => ({
    id: idOf(1, index),
    user_id: idOf(1, index),
    name: of(NAMES, index),
    username: `${of(NAMES, index + 7)}.${index}`,
    category: of(CATEGORIES, index),
    location: of(LOCATIONS, index + 1),
    language: of(LANGUAGES, index + 2),
    ethnicity: of(ETHNICITIES, index),
    age: of(AGES, index + 3),
    instagram_followers: of(FOLLOWERS, index),
    tiktok_followers: of(FOLLOWERS, index * 3 + 2),
    youtube_followers: of(FOLLOWERS, index * 7 + 4),
    twitter_followers: of(FOLLOWERS, index * 11 + 6),
    badge_type: of(BADGES, Math.floor(index / 2)),
    approved: index % 9 !== 4,
    created_at: momentOf(index),
  }));

const businesses = (kind: number, types: readonly (string | null)[]) =>
  Array.from({ length: ROWS }, (_, index) => ({
    id: idOf(kind, index),
    user_id: idOf(kind, index),
    name: of(NAMES, index + kind),
    email: `strange${index}@example.test`,
    company_name: of([null, '', ...NAMES], index * 3),
    description: of(DESCRIPTIONS, index),
    location: of(LOCATIONS, index + kind),
    type: of(types, index),
    created_at: momentOf(index),
  }));

/** Older than all other rows, so that they are at the end of every list. Created once per database. */
export async function seedStrangeRows(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    for (const [table, role, rows] of [
      ['influencers', 'influencer', people()],
      ['agencies', 'agency', businesses(2, AGENCY_TYPES)],
      ['vendors', 'vendor', businesses(3, VENDOR_TYPES)],
    ] as const) {
      const json = JSON.stringify(rows);
      await client.query(
        `insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
         select (row ->> 'id')::uuid, 'strange-' || (row ->> 'id') || '@example.test', now(),
           '{"provider": "email", "providers": ["email"]}', jsonb_build_object('user_type', $2::text)
         from jsonb_array_elements($1::jsonb) as row on conflict do nothing`,
        [json, role],
      );
      const columns = Object.keys(rows[0] ?? {}).join(', ');
      await client.query(
        `insert into app.${table} (${columns})
         select ${columns} from jsonb_populate_recordset(null::app.${table}, $1::jsonb) on conflict do nothing`,
        [json],
      );
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

export type Table = 'influencers' | 'agencies' | 'vendors';

/** All rows, including hidden ones, in the order of the lists. */
export async function allRows<Row>(databaseUrl: string, table: Table): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`select * from public.${table} order by created_at desc, id desc`);
    return rows as Row[];
  } finally {
    await client.end();
  }
}
