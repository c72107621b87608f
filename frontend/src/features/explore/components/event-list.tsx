import { MapPin, Users } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { foundText } from '@/components/endless-list';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { cardGrid } from '@/components/ui/card-grid';
import { Chip } from '@/components/ui/chip';
import { dayOf } from '@/lib/dates';
import { type Event, plateOf } from '@/lib/events';
import type { Palette } from '@/lib/ubin';

/** Lists the six sample events. They fit on one page, so there is no Load More. */
export default function EventList(props: { events: Event[]; clearLabel: string; onClear: () => void }) {
  const { events } = props;
  return (
    <section aria-label="Events">
      <p className="sr-only" role="status">
        {foundText(events.length, { one: 'event', many: 'events' })}
      </p>
      {events.length === 0 ? (
        <EmptyState title="No events found matching your criteria." text="Try another word, or browse all categories.">
          <Button variant="outline" onClick={props.onClear}>
            {props.clearLabel}
          </Button>
        </EmptyState>
      ) : (
        <div className={cardGrid({ columns: 'three' })}>
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
    <article className={cardVariants({ className: 'flex flex-col overflow-hidden' })}>
      <div className="relative aspect-[3/1]">
        <UbinPattern seed={event.id} columns={3} rows={1} palette={PALETTES[event.category]} />
        <time
          className="absolute -bottom-4.5 left-3.5 rounded-[14px] bg-card px-3.5 py-2 text-center shadow-md"
          dateTime={isoDay(event.date)}
          title={dayOf(isoDay(event.date))}
        >
          <b className="block font-bold font-display text-[26px] tabular-nums leading-none">{day}</b>
          <span className="font-bold text-[12px] tracking-[0.06em]">{month}</span>
        </time>
      </div>
      <div className="flex flex-1 flex-col px-5 pt-7.5 pb-5">
        <h2 className="text-[21px]">{event.title}</h2>
        <p className="mt-2 mb-4 line-clamp-2 text-[15px] text-muted-foreground">{event.description}</p>
        <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
          <Chip size="small">{event.category}</Chip>
          <span className="flex items-center gap-1.5 text-muted-foreground">
            <MapPin className="size-4" aria-hidden="true" />
            {event.location}
          </span>
          <span className="flex items-center gap-1.5 text-muted-foreground tabular-nums">
            <Users className="size-4" aria-hidden="true" />
            {event.attendees}
            <span className="sr-only"> attending</span>
          </span>
        </div>
      </div>
    </article>
  );
}

/** The date in the reader's time zone, not UTC. */
const isoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
