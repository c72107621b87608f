// Converts between the database record and the form.
import type { StoredPictures } from '@/features/pictures/pending';
import type { Database, Json } from '@/lib/database.types';
import { PLATFORMS } from '@/lib/platforms';
import { objectOf, postsOf, servicesOf, textOf } from '@/lib/profile-json';
import { ageOf, type ProfileForm } from './schema';
import { eachText, TEXT_FIELDS } from './text-fields';

export type InfluencerRow = Database['public']['Views']['influencers']['Row'];
type InfluencerInsert = Database['public']['Views']['influencers']['Insert'];

const EMPTY_ACCOUNT = { on: false, link: '', followers: '' };

export const EMPTY_FORM: ProfileForm = {
  ...eachText(() => ''),
  date_of_birth: '',
  instagram: EMPTY_ACCOUNT,
  tiktok: EMPTY_ACCOUNT,
  youtube: EMPTY_ACCOUNT,
  twitter: EMPTY_ACCOUNT,
  website: { on: false, link: '' },
  services: [],
  service_draft: { title: '', description: '', price: '' },
  payment: {
    payment_method: 'bank',
    bank_name: '',
    account_number: '',
    account_holder: '',
    paypal_email: '',
    payment_notes: '',
  },
};

export const photosOf = (json: Json | null): string[] => postsOf(json).map((post) => post.url);

export function formOf(row: InfluencerRow | null): ProfileForm {
  if (!row) return EMPTY_FORM;
  const account = (platform: (typeof PLATFORMS)[number]) => {
    const [link, followers] = [row[`${platform}_link`] ?? '', row[`${platform}_followers`] ?? ''];
    return { on: Boolean(link || followers), link, followers };
  };
  const payment = objectOf(row.payment_info);
  const method = textOf(payment.payment_method);
  return {
    ...eachText((name) => row[name] ?? ''),
    date_of_birth: row.date_of_birth ?? '',
    instagram: account('instagram'),
    tiktok: account('tiktok'),
    youtube: account('youtube'),
    twitter: account('twitter'),
    website: { on: Boolean(row.website_link), link: row.website_link ?? '' },
    services: servicesOf(row.services),
    service_draft: EMPTY_FORM.service_draft,
    payment: {
      payment_method: method === 'paypal' || method === 'both' ? method : 'bank',
      bank_name: textOf(payment.bank_name),
      account_number: textOf(payment.account_number),
      account_holder: textOf(payment.account_holder),
      paypal_email: textOf(payment.paypal_email),
      payment_notes: textOf(payment.payment_notes),
    },
  };
}

/** The posts to store: a picture that was stored with a title keeps it. */
function postsFor(urls: string[], before: Json | null | undefined): Json[] {
  const known = new Map((Array.isArray(before) ? before : []).map((post) => [photosOf([post])[0], post]));
  return urls.map((url) => known.get(url) ?? url);
}

export const picturesOf = (row: InfluencerRow | null): StoredPictures<'cover' | 'profile'> => ({
  slots: { cover: row?.cover_image || null, profile: row?.profile_image || null },
  photos: photosOf(row?.content_posts ?? null),
});

const orNull = (text: string): string | null => text.trim() || null;

/** The columns to send: the owner's columns, and none that admins control. */
export function rowOf(
  form: ProfileForm,
  pictures: StoredPictures<'cover' | 'profile'>,
  before: InfluencerRow | null,
  today: Date,
): InfluencerInsert {
  return {
    ...eachText((name) => (TEXT_FIELDS[name].required ? form[name].trim() : orNull(form[name]))),
    age: ageOf(form.date_of_birth, today) ?? before?.age ?? null,
    date_of_birth: orNull(form.date_of_birth),
    ...Object.fromEntries(
      PLATFORMS.flatMap((platform) => [
        [`${platform}_link`, orNull(form[platform].link)],
        [`${platform}_followers`, orNull(form[platform].followers)],
      ]),
    ),
    website_link: orNull(form.website.link),
    services: form.services,
    content_posts: postsFor(pictures.photos, before?.content_posts),
    cover_image: pictures.slots.cover,
    profile_image: pictures.slots.profile,
    payment_info: form.payment,
  };
}

export type Columns = ReturnType<typeof rowOf>;

/** A record's columns as the form would send them unchanged, for comparison. */
export const columnsOf = (row: InfluencerRow | null, today: Date): Columns =>
  rowOf(formOf(row), picturesOf(row), row, today);
