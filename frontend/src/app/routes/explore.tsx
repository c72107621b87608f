import { useInfiniteQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { usePageState, useSession } from '@/app/session';
import { CategoryTabs } from '@/components/category-tabs';
import { closedSentence } from '@/components/closed-sentence';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SearchBox } from '@/components/search-box';
import { Count } from '@/components/ui/count';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { AgencyResults } from '@/features/agencies/components/agency-results';
import { agencyList } from '@/features/agencies/list-queries';
import { useSaveAction } from '@/features/favorites/use-save-action';
import { INFLUENCER_ADDRESS } from '@/features/search/address';
import { ExploreInfluencers } from '@/features/search/components/explore-influencers';
import { influencerList } from '@/features/search/queries';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { NO_BUSINESS_FILTERS } from '@/lib/business-filters';
import { eventsMatching } from '@/lib/event-search';
import { sampleEvents } from '@/lib/events';
import { totalOf } from '@/lib/pages';
import type { Page as ClosablePage } from '@/lib/session';

// Loaded on demand: few visitors open this tab.
const EventList = lazy(() => import('@/features/explore/components/event-list'));

const TABS = ['influencers', 'agencies', 'events'] as const;
type Tab = (typeof TABS)[number];

const PLACES: Record<Tab, { name: string; prompt: string; page: ClosablePage }> = {
  influencers: { name: 'Influencers', prompt: 'Search by name, username, or category', page: 'influencer' },
  agencies: { name: 'Agencies', prompt: 'Search agencies', page: 'agencies' },
  events: { name: 'Events', prompt: 'Search events', page: 'events' },
};

export default function ExplorePage() {
  const [params] = useSearchParams();
  const { filters, asked, set, change, settle, goTo } = useAddressFilters(INFLUENCER_ADDRESS);
  const saveAction = useSaveAction();
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'influencers';
  const agenciesAsked = useMemo(() => ({ ...NO_BUSINESS_FILTERS, q: asked.q }), [asked.q]);
  const events = useMemo(
    () => eventsMatching(sampleEvents(new Date()), filters.q, filters.category),
    [filters.q, filters.category],
  );

  const open = (next: string) =>
    goTo((now) => {
      const params = new URLSearchParams(now);
      if (next === 'influencers') params.delete('tab');
      else params.set('tab', next);
      return params;
    });
  const clearSearch = { clearLabel: 'Clear search', onClear: () => change({ q: '', category: '' }) };
  const counts: Record<Tab, ReactNode> = {
    influencers: <InfluencerCount asked={asked} />,
    agencies: <AgencyCount asked={agenciesAsked} />,
    events: events.length,
  };
  const contents: Record<Tab, ReactNode> = {
    influencers: <ExploreInfluencers filters={filters} asked={asked} set={set} action={saveAction} />,
    agencies: <AgencyResults quiet asked={agenciesAsked} {...clearSearch} />,
    events: (
      <Suspense fallback={<Loader label="Loading events..." />}>
        <EventList events={events} {...clearSearch} />
      </Suspense>
    ),
  };
  const { prompt, page } = PLACES[tab];
  const state = usePageState(page);
  const { refresh } = useSession();
  const shown = state === 'open';

  return (
    <main className="wrap">
      <div className="pt-10 pb-4.5">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Explore</h1>
      </div>
      <SearchBox
        large
        label={prompt}
        placeholder={`${prompt}...`}
        value={filters.q}
        onChange={(q) => change({ q })}
        onEnter={settle}
      />
      <CategoryTabs
        className="mt-4"
        value={filters.category || 'All'}
        onChange={(category) => change({ category: category === 'All' ? '' : category })}
        disabled={tab === 'agencies'}
      >
        <Tabs.Root value={tab} onValueChange={open} activationMode="manual">
          <Tabs.List className={tabListVariants({ look: 'line', className: 'mt-5 mb-6' })} aria-label="Explore">
            {TABS.map((name) => (
              <Tabs.Trigger key={name} value={name} className={tabVariants({ look: 'line' })}>
                {PLACES[name].name} {name === tab && shown ? <Count>{counts[name]}</Count> : null}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value={tab}>
            {shown ? contents[tab] : null}
            {state === 'unknown' ? <Loader label={`Loading ${tab}...`} /> : null}
            {state === 'failed' ? (
              <LoadFailure inside title={`Failed to load ${tab}`} error={undefined} retry={refresh} />
            ) : null}
            {state === 'closed' ? (
              <EmptyState title="This page is closed to your account" text={closedSentence(page)} />
            ) : null}
          </Tabs.Content>
        </Tabs.Root>
      </CategoryTabs>
    </main>
  );
}

/** Shows the total of the list below without fetching it; the list does that. */
function InfluencerCount({ asked }: { asked: Parameters<typeof influencerList>[0] }) {
  const { data } = useInfiniteQuery({ ...influencerList(asked, 'explore'), enabled: false });
  return data ? totalOf(data.pages) : '…';
}

function AgencyCount({ asked }: { asked: Parameters<typeof agencyList>[0] }) {
  const { data } = useInfiniteQuery({ ...agencyList(asked), enabled: false });
  return data ? totalOf(data.pages) : '…';
}
