import { MapPin, Users } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { foundText } from '@/components/endless-list';
import { UbinPattern } from '@/components/ubin-pattern';
import { dayOf } from '@/lib/dates';
import { type Event, plateOf } from '@/lib/events';
import type { Palette } from '@/lib/ubin';

/** Lists the six sample events. They fit on one page, so there is no Load More. */
export default function EventList(props: { events: Event[]; clearLabel: string; onClear: () => void }) {
  const { events } = props;
  return (
    <section aria-label="Events">
      <p className="sr" role="status">
        {foundText(events.length, { one: 'event', many: 'events' })}
      </p>
      {events.length === 0 ? (
        <EmptyState
          title="No events found matching your criteria."
          text="Try another word, or look through all categories."
        >
          <button type="button" className="btn outline" onClick={props.onClear}>
            {props.clearLabel}
          </button>
        </EmptyState>
      ) : (
        <div className="grid c3 events">
          {events.map((event) => (
            <EventCard key={event.id} event={event} />
          ))}
        </div>
      )}
    </section>
  );
}

const PALETTES: Record<string, Palette> = {
  Conference: ['#2F57C8', '#BCD3F7', '#F6B93B', '#FFFFFF'],
  Fashion: ['#FF7A66', '#FBD3C8', '#0F4D3F', '#FCE6AE'],
  Gaming: ['#0F4D3F', '#FF7A66', '#BFE3CF', '#F6B93B'],
  Beauty: ['#FBD3C8', '#E0483E', '#2F57C8', '#F6B93B'],
  Tech: ['#1E7F95', '#BFE3CF', '#F6B93B', '#FBD3C8'],
  Travel: ['#F6B93B', '#FCE6AE', '#E0483E', '#0F4D3F'],
};

function EventCard({ event }: { event: Event }) {
  const { day, month } = plateOf(event.date);
  return (
    <article className="card event-card">
      <div className="event-picture">
        <UbinPattern seed={event.id} columns={3} rows={1} palette={PALETTES[event.category]} />
        <time className="event-plate" dateTime={isoDay(event.date)} title={dayOf(isoDay(event.date))}>
          <b className="num">{day}</b>
          <span>{month}</span>
        </time>
      </div>
      <div className="event-text">
        <h2>{event.title}</h2>
        <p className="muted clamp2">{event.description}</p>
        <div className="row wrapf sm event-facts">
          <span className="chip">{event.category}</span>
          <span className="row muted">
            <MapPin className="i i16" aria-hidden="true" />
            {event.location}
          </span>
          <span className="row muted num">
            <Users className="i i16" aria-hidden="true" />
            {event.attendees}
            <span className="sr"> attending</span>
          </span>
        </div>
      </div>
    </article>
  );
}

/** The date in the reader's time zone, not UTC. */
const isoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
