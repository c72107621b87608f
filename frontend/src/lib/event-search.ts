import type { Event } from './events';
import { searchedText } from './text-match';

/** Searches title, description, category and location; '' means no filter. */
export function eventsMatching(events: Event[], typed: string, category: string): Event[] {
  const text = searchedText(typed).toLowerCase();
  return events.filter(
    (event) =>
      (!category || event.category === category) &&
      [event.title, event.description, event.category, event.location].some((part) =>
        part.toLowerCase().includes(text),
      ),
  );
}
