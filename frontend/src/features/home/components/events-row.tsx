import { MapPin, Users } from 'lucide-react';
import type { PageState } from '@/app/session';
import { closedSentence } from '@/components/closed-sentence';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { cardGrid } from '@/components/ui/card-grid';
import { Chip } from '@/components/ui/chip';
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
export function EventsRow({ state, retry }: { state: PageState; retry: () => void }) {
  return (
    <section
      className="wrap mt-18 outline-none max-sm:mt-14 lg:mt-24"
      id="events"
      tabIndex={-1}
      aria-labelledby="events-title"
    >
      <div className="mb-5 flex items-end justify-between gap-4 max-sm:mb-4">
        <h2 className="text-[28px] max-sm:text-[25px] lg:text-[34px]" id="events-title">
          Events
        </h2>
      </div>
      {state === 'failed' ? (
        <div className={cardVariants({ padded: true, className: 'flex flex-wrap items-center justify-between gap-3' })}>
          <p className="text-muted-foreground">Events could not be loaded. Check your connection.</p>
          <Button variant="outline" size="small" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : state === 'closed' ? (
        <p className={cardVariants({ padded: true, className: 'text-muted-foreground' })}>{closedSentence('events')}</p>
      ) : (
        <div
          className={cardGrid({ columns: 'three', className: state === 'unknown' && 'invisible' })}
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
    <article className={cardVariants({ className: 'flex overflow-hidden' })}>
      <div className="min-h-37.5 w-28 flex-none p-4" style={{ background, color }}>
        <b className="block font-bold font-display text-[40px] leading-none">{day}</b>
        <span className="font-bold text-[13px] tracking-[0.06em]">{month}</span>
      </div>
      <div className="min-w-0 flex-1 p-4.5">
        <Chip size="small">{event.category}</Chip>
        <h3 className="mt-2.5 mb-2 text-[19px]">{event.title}</h3>
        <p className="flex items-center gap-1.5 text-muted-foreground text-sm">
          <MapPin className="size-4" aria-hidden="true" />
          {event.location}
        </p>
        <p className="mt-1 flex items-center gap-1.5 text-muted-foreground text-sm tabular-nums">
          <Users className="size-4" aria-hidden="true" />
          {event.attendees} attending
        </p>
      </div>
    </article>
  );
}
