import { MapPin, Users } from 'lucide-react';

/** Sample data: events have no table yet. */
const EVENTS = [
  {
    day: '18',
    month: 'JAN',
    title: 'Creator Economy Forum',
    category: 'Conference',
    place: 'Kuala Lumpur',
    attendees: 320,
    ground: '#2F57C8',
    ink: '#fff',
  },
  {
    day: '02',
    month: 'FEB',
    title: 'Batik Now: runway and market',
    category: 'Fashion',
    place: 'Kuching',
    attendees: 540,
    ground: '#FF7A66',
    ink: '#14231C',
  },
  {
    day: '21',
    month: 'FEB',
    title: 'Couch Co-op Weekend',
    category: 'Gaming',
    place: 'Johor Bahru',
    attendees: 210,
    ground: '#0F4D3F',
    ink: '#fff',
  },
] as const;

/** `closed`: said in place of the events where an admin has taken them away from the account. */
export function EventsRow({ closed }: { closed?: string }) {
  return (
    <section className="wrap sec" id="events" tabIndex={-1} aria-labelledby="events-title">
      <div className="sech">
        <h2 className="h2" id="events-title">
          Events
        </h2>
      </div>
      {closed ? (
        <p className="card pad muted">{closed}</p>
      ) : (
        <div className="grid c3">
          {EVENTS.map((event) => (
            <article key={event.title} className="card event">
              <div className="event-date" style={{ background: event.ground, color: event.ink }}>
                <b>{event.day}</b>
                <span>{event.month}</span>
              </div>
              <div className="grow" style={{ padding: 18 }}>
                <span className="chip" style={{ height: 26 }}>
                  {event.category}
                </span>
                <h3 style={{ fontSize: 19, margin: '10px 0 8px' }}>{event.title}</h3>
                <p className="sm muted row" style={{ gap: 6 }}>
                  <MapPin className="i i16" aria-hidden="true" />
                  {event.place}
                </p>
                <p className="sm muted row num" style={{ gap: 6, marginTop: 4 }}>
                  <Users className="i i16" aria-hidden="true" />
                  {event.attendees} attending
                </p>
              </div>
            </article>
          ))}
        </div>
      )}
    </section>
  );
}
