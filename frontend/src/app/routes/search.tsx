import { ListFilter } from 'lucide-react';
import { Suspense, useState } from 'react';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Count } from '@/components/ui/count';
import { useSaveAction } from '@/features/favorites/use-save-action';
import { INFLUENCER_ADDRESS } from '@/features/search/address';
import { chipsOf, without } from '@/features/search/chips';
import { InfluencerResults } from '@/features/search/components/influencer-results';
import { NO_FILTERS } from '@/features/search/filters';
import { filterPanel } from '@/features/search/lazy-panel';
import { useLazySheet } from '@/features/search/use-lazy-sheet';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { useWideScreen } from '@/hooks/use-wide-screen';

const PROMPT = 'Search by name, username, or category';

export default function SearchPage() {
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
      <div className="pt-10 pb-5">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Influencers</h1>
      </div>
      <div className="flex items-center gap-3">
        <SearchBox
          large
          label={PROMPT}
          placeholder={`${PROMPT}...`}
          value={filters.q}
          onChange={(q) => change({ q })}
          onEnter={settle}
        />
        <Button
          variant="outline"
          size="field"
          className="lg:hidden"
          aria-label={`Filters, ${chips.length} active`}
          onPointerDown={sheet.prepare}
          onClick={sheet.show}
        >
          <ListFilter aria-hidden="true" />
          {chips.length > 0 ? <Count hot>{chips.length}</Count> : null}
        </Button>
      </div>
      <div className="mt-6 grid gap-6 *:min-w-0 lg:grid-cols-[296px_minmax(0,1fr)] lg:items-start lg:gap-8">
        <aside
          className={cardVariants({
            padded: true,
            className:
              'top-[calc(var(--header-h)+16px)] max-h-[calc(100dvh-var(--header-h)-32px)] overflow-y-auto overscroll-contain max-lg:hidden lg:sticky',
          })}
          aria-label="Filters"
        >
          <div className="flex items-center justify-between gap-3 max-[360px]:flex-wrap">
            <h2 className="text-[20px]">
              Filters{' '}
              {chips.length > 0 ? (
                <Count hot className="ml-1 inline-block align-[2px]">
                  {chips.length}
                </Count>
              ) : null}
            </h2>
            <Button variant="ghost" size="small" className="-mr-2.5" onClick={clear}>
              Clear all
            </Button>
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
          columns="beside"
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
              <Button variant="outline" onClick={clear}>
                Clear all
              </Button>
              <Button onClick={() => sheet.setOpen(false)}>Show influencers</Button>
            </>
          }
        >
          <div>
            <sheet.parts.FilterPanel filters={filters} change={change} />
          </div>
        </sheet.parts.Dialog>
      ) : null}
    </main>
  );
}
