// Sample events, built in the client: there is no events table.

export interface Event {
  id: string;
  title: string;
  description: string;
  date: Date;
  location: string;
  imageUrl: string | null;
  category: string;
  attendees: number;
  organizer: string;
}

type Sample = Omit<Event, 'id' | 'date' | 'imageUrl'> & { day: number; month: number };

const SAMPLES: Sample[] = [
  {
    title: 'Creator Economy Forum',
    description: 'Talks on rates, contracts and rest, from people who do the work.',
    day: 18,
    month: 1,
    location: 'Kuala Lumpur',
    category: 'Conference',
    attendees: 320,
    organizer: 'Sembang PR',
  },
  {
    title: 'Batik Now: runway and market',
    description: 'Twelve independent makers, one riverside runway.',
    day: 2,
    month: 2,
    location: 'Kuching',
    category: 'Fashion',
    attendees: 540,
    organizer: 'Kilau Talent',
  },
  {
    title: 'Couch Co-op Weekend',
    description: 'Regional indie games, played together on very old sofas.',
    day: 21,
    month: 2,
    location: 'Johor Bahru',
    category: 'Gaming',
    attendees: 210,
    organizer: 'Cakera Media',
  },
  {
    title: 'Skin and Monsoon',
    description: 'What humidity does to formulas, with live testing.',
    day: 7,
    month: 3,
    location: 'Penang',
    category: 'Beauty',
    attendees: 180,
    organizer: 'Kilau Talent',
  },
  {
    title: 'Small Screens, Big Circuits',
    description: 'Repair, review and film the gadgets you already own.',
    day: 15,
    month: 3,
    location: 'Cyberjaya',
    category: 'Tech',
    attendees: 260,
    organizer: 'Lumut Studio',
  },
  {
    title: 'Slow Routes East',
    description: 'Ferries, night buses and the people who film them.',
    day: 28,
    month: 3,
    location: 'Kuala Terengganu',
    category: 'Travel',
    attendees: 150,
    organizer: 'Lumut Studio',
  },
];

/**
 * Moves each event to the next occurrence of its date (today included), so that no sample is over. The soonest first.
 */
export function sampleEvents(now: Date): Event[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return SAMPLES.map(({ day, month, ...sample }) => {
    const date = new Date(today.getFullYear(), month - 1, day);
    if (date < today) date.setFullYear(today.getFullYear() + 1);
    return { ...sample, id: `sample-${month}-${day}`, date, imageUrl: null };
  }).sort((one, other) => one.date.getTime() - other.date.getTime());
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short' });

/** The date as shown on an event card, for example '02' and 'FEB'. */
export const plateOf = (date: Date): { day: string; month: string } => ({
  day: String(date.getDate()).padStart(2, '0'),
  month: MONTH.format(date).slice(0, 3).toUpperCase(),
});
