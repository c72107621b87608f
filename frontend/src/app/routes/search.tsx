import { ListFilter } from 'lucide-react';
import { Suspense, useState } from 'react';
import { SearchBox } from '@/components/search-box';
import { useSaveAction } from '@/features/favorites/use-save-action';
import { INFLUENCER_ADDRESS } from '@/features/search/address';
import { chipsOf, without } from '@/features/search/chips';
import { InfluencerResults } from '@/features/search/components/influencer-results';
import { NO_FILTERS } from '@/features/search/filters';
import { filterPanel } from '@/features/search/lazy-panel';
import { useLazySheet } from '@/features/search/use-lazy-sheet';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { usePageTitle } from '@/hooks/use-page-title';
import { useWideScreen } from '@/hooks/use-wide-screen';

const PROMPT = 'Search by name, username, or category';

export default function SearchPage() {
  usePageTitle('Influencers');
  const { filters, asked, set, change, settle } = useAddressFilters(INFLUENCER_ADDRESS);
  const saveAction = useSaveAction();
  const wide = useWideScreen();
  const sheet = useLazySheet(!wide);
  const [FilterPanel] = useState(filterPanel);
  // This page has no category row, so a category from a shared link appears as a filter chip.
  const category = filters.category ? [{ key: 'category', label: filters.category } as const] : [];
  const chips = [...category, ...chipsOf(filters)];
  const clear = () => set({ ...NO_FILTERS, q: filters.q });

  return (
    <main className="wrap">
      <div className="ph tight">
        <h1>Influencers</h1>
      </div>
      <div className="row">
        <SearchBox
          large
          label={PROMPT}
          placeholder={`${PROMPT}...`}
          value={filters.q}
          onChange={(q) => change({ q })}
          onEnter={settle}
        />
        <button
          type="button"
          className="btn outline large l-hide"
          aria-label={`Filters, ${chips.length} active`}
          onPointerDown={sheet.prepare}
          onClick={sheet.show}
        >
          <ListFilter className="i" aria-hidden="true" />
          {chips.length > 0 ? <span className="count hot">{chips.length}</span> : null}
        </button>
      </div>
      <div className="sgrid">
        <aside className="filt card pad d-only" aria-label="Filters">
          <div className="row between">
            <h2 className="panel-title">
              Filters {chips.length > 0 ? <span className="count hot filter-count">{chips.length}</span> : null}
            </h2>
            <button type="button" className="btn ghost s flush" onClick={clear}>
              Clear all
            </button>
          </div>
          {wide ? (
            <Suspense>
              <FilterPanel filters={filters} change={change} />
            </Suspense>
          ) : null}
        </aside>
        <InfluencerResults
          asked={asked}
          screen="search"
          grid="grid c3s"
          chips={chips}
          onRemove={(chip) => set(without(filters, chip))}
          onClear={() => set(NO_FILTERS)}
          action={saveAction}
        />
      </div>
      {sheet.parts ? (
        <sheet.parts.Dialog
          open={sheet.open}
          onOpenChange={sheet.setOpen}
          title="Filters"
          footer={
            <>
              <button type="button" className="btn outline" onClick={clear}>
                Clear all
              </button>
              <button type="button" className="btn primary" onClick={() => sheet.setOpen(false)}>
                Show influencers
              </button>
            </>
          }
        >
          <div className="filt">
            <sheet.parts.FilterPanel filters={filters} change={change} />
          </div>
        </sheet.parts.Dialog>
      ) : null}
    </main>
  );
}
