import { useQuery } from '@tanstack/react-query';
import type { VariantProps } from 'class-variance-authority';
import { type ReactNode, useId } from 'react';
import { type CardInfluencer, InfluencerCard } from '@/components/influencer-card';
import { cardGrid } from '@/components/ui/card-grid';
import { closeInfluencers } from '../close-queries';

/** Offered below a search without matches. Shows nothing if there are none, or if they can't be loaded. */
export default function CloseMatches(props: {
  text: string;
  /** Whether the search also had filters, which close matches ignore. */
  filtered: boolean;
  columns: VariantProps<typeof cardGrid>['columns'];
  action: (influencer: CardInfluencer) => ReactNode;
}) {
  const title = useId();
  const { data } = useQuery(closeInfluencers(props.text));
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby={title} className="mt-4 border-border border-t pt-7">
      <h2 id={title} className="text-[24px]">
        Close matches
      </h2>
      <p className="mt-1 mb-5 text-muted-foreground">
        Names, places and bios that come close to “{props.text}”.
        {props.filtered ? ' Your filters are not applied.' : ''}
      </p>
      <div className={cardGrid({ columns: props.columns })}>
        {data.map((influencer) => (
          <InfluencerCard key={influencer.id} influencer={influencer} action={props.action(influencer)} />
        ))}
      </div>
    </section>
  );
}
