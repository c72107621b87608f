import { MapPin, Users } from 'lucide-react';
import type { PageState } from '@/app/session';
import { closedSentence } from '@/components/closed-sentence';
import { type Event, plateOf, sampleEvents } from '@/lib/events';

/** One row of cards. */
const SHOWN = 3;

const PLATES: Record<string, [ground: string, ink: string]> = {
  Conference: ['#2F57C8', '#fff'],
  Fashion: ['#FF7A66', '#14231C'],
  Gaming: ['#0F4D3F', '#fff'],
  Beauty: ['#FBD3C8', '#14231C'],
  Tech: ['#1E7F95', '#fff'],
  Travel: ['#F6B93B', '#14231C'],
};

/** Keeps the space empty until it is known whether the account may see events. */
export function EventsRow({ state }: { state: PageState }) {
  return (
    <section className="wrap sec" id="events" tabIndex={-1} aria-labelledby="events-title">
      <div className="sech">
        <h2 className="h2" id="events-title">
          Events
        </h2>
      </div>
      {state === 'closed' ? (
        <p className="card pad muted">{closedSentence('events')}</p>
      ) : (
        <div
          className="grid c3"
          style={{ visibility: state === 'unknown' ? 'hidden' : undefined }}
          aria-busy={state === 'unknown'}
        >
          {sampleEvents(new Date())
            .slice(0, SHOWN)
            .map((event) => (
              <EventTile key={event.id} event={event} />
            ))}
        </div>
      )}
    </section>
  );
}

function EventTile({ event }: { event: Event }) {
  const { day, month } = plateOf(event.date);
  const [background, color] = PLATES[event.category] ?? [];
  return (
    <article className="card event">
      <div className="event-date" style={{ background, color }}>
        <b>{day}</b>
        <span>{month}</span>
      </div>
      <div className="grow" style={{ padding: 18 }}>
        <span className="chip" style={{ height: 26 }}>
          {event.category}
        </span>
        <h3 style={{ fontSize: 19, margin: '10px 0 8px' }}>{event.title}</h3>
        <p className="sm muted row" style={{ gap: 6 }}>
          <MapPin className="i i16" aria-hidden="true" />
          {event.location}
        </p>
        <p className="sm muted row num" style={{ gap: 6, marginTop: 4 }}>
          <Users className="i i16" aria-hidden="true" />
          {event.attendees} attending
        </p>
      </div>
    </article>
  );
}
