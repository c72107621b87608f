import { RotateCw } from 'lucide-react';
import { CategoryTabs } from '@/components/category-tabs';
import { Button } from '@/components/ui/button';
import { useSaveAction } from '@/features/favorites/use-save-action';
import { INFLUENCER_ADDRESS } from '@/features/search/address';
import { chipsOf, without } from '@/features/search/chips';
import { AdvancedFilters } from '@/features/search/components/advanced-filters';
import { InfluencerResults } from '@/features/search/components/influencer-results';
import { NO_FILTERS } from '@/features/search/filters';
import { influencerList } from '@/features/search/queries';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { useRefresh } from '@/hooks/use-refresh';

/** The search text comes from the header's search box. */
export default function SearchInfluencersPage() {
  const { filters, asked, set, change } = useAddressFilters(INFLUENCER_ADDRESS);
  const saveAction = useSaveAction();
  const { refresh, busy } = useRefresh(influencerList(asked, 'influencers').queryKey);
  const chips = chipsOf(filters);
  const text = filters.q.trim();
  const textChip = { key: 'q', label: `“${text}”` } as const;

  return (
    <main className="wrap">
      <div className="flex items-center justify-between gap-3 pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Search Influencers</h1>
        <Button variant="outline" aria-label="Refresh" aria-busy={busy} onClick={refresh}>
          <RotateCw className={busy ? 'animate-turn' : ''} aria-hidden="true" />
          <span className="max-sm:hidden">Refresh</span>
        </Button>
      </div>
      <CategoryTabs
        value={filters.category || 'All'}
        onChange={(category) => change({ category: category === 'All' ? '' : category })}
      >
        <AdvancedFilters
          filters={filters}
          change={change}
          count={chips.length}
          onClear={() => set({ ...NO_FILTERS, q: filters.q, category: filters.category })}
        />
        <InfluencerResults
          asked={asked}
          screen="influencers"
          columns="four"
          chips={text ? [textChip, ...chips] : chips}
          onRemove={(chip) => set(without(filters, chip))}
          onClear={() => set(NO_FILTERS)}
          action={saveAction}
        />
      </CategoryTabs>
    </main>
  );
}
