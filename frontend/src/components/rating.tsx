import { clsx } from 'clsx';
import { Star } from 'lucide-react';

export const reviewsText = (count: number) => `${count} ${count === 1 ? 'review' : 'reviews'}`;

/** The average of a profile's reviews. There is none before three authors have reviewed it. */
export function Rating(props: {
  rating: number | null | undefined;
  count: number | null | undefined;
  className?: string;
}) {
  const { rating, count } = props;
  if (rating === null || rating === undefined) return null;
  return (
    <span
      className={clsx('inline-flex items-center gap-1 whitespace-nowrap font-semibold tabular-nums', props.className)}
    >
      <Star className="size-4 fill-kunyit text-kunyit" aria-hidden="true" />
      <span className="sr-only">Rated </span>
      {rating.toFixed(1)}
      <span className="sr-only"> out of 5, </span>
      <span className="font-normal text-muted-foreground">
        <span aria-hidden="true">({count})</span>
        <span className="sr-only">{reviewsText(count ?? 0)}</span>
      </span>
    </span>
  );
}

const FIVE = [1, 2, 3, 4, 5];

/** The stars that one review gives. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex gap-0.5" role="img" aria-label={`${rating} out of 5 stars`}>
      {FIVE.map((place) => (
        <Star
          key={place}
          className={clsx('size-4.5', place <= rating ? 'fill-kunyit text-kunyit' : 'text-input')}
          aria-hidden="true"
        />
      ))}
    </span>
  );
}
