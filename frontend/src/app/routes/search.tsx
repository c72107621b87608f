import { ListFilter, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Dialog } from '@/components/ui/dialog';
import { FilterPanel } from '@/features/search/components/filter-panel';
import { Results } from '@/features/search/components/results';
import { chipsOf, type Filters, filtersFrom, NO_FILTERS, paramsFrom } from '@/features/search/filters';
import { useDebounced } from '@/hooks/use-debounced';
import { usePageTitle } from '@/hooks/use-page-title';

/** The address holds the filters: a result can be shared, and Back works. Typing waits for a pause. */
export default function SearchPage() {
  usePageTitle('Influencers');
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersFrom(params), [params]);
  const asked = useDebounced(filters, 300);
  const [sheetOpen, setSheetOpen] = useState(false);
  const active = chipsOf(filters).length;

  const change = (part: Partial<Filters>) => {
    const typing = 'q' in part || 'location' in part;
    setParams((now) => paramsFrom({ ...filtersFrom(now), ...part }), { replace: typing });
  };
  const clear = () => setParams(paramsFrom({ ...NO_FILTERS, q: filters.q }));
  const panel = <FilterPanel filters={filters} change={change} />;

  return (
    <main className="wrap">
      <div className="ph" style={{ paddingBottom: 20 }}>
        <h1>Influencers</h1>
      </div>
      <div className="row" style={{ gap: 12 }}>
        <div className="inp grow" style={{ height: 54, fontSize: 17, borderRadius: 14 }}>
          <Search className="i" aria-hidden="true" />
          <input
            type="search"
            placeholder="Search by name, username, or category..."
            aria-label="Search by name, username, or category"
            value={filters.q}
            onChange={(event) => change({ q: event.target.value })}
          />
        </div>
        <button
          type="button"
          className="btn outline l-hide"
          style={{ height: 54, borderRadius: 14 }}
          aria-label={`Filters, ${active} active`}
          onClick={() => setSheetOpen(true)}
        >
          <ListFilter className="i" aria-hidden="true" />
          {active > 0 ? <span className="count hot">{active}</span> : null}
        </button>
      </div>
      <div className="sgrid">
        <aside className="filt card pad d-only" aria-label="Filters">
          <div className="row between">
            <h2 style={{ fontSize: 20 }}>
              Filters {active > 0 ? <span className="count hot filter-count">{active}</span> : null}
            </h2>
            <button type="button" className="btn ghost s" style={{ marginRight: -10 }} onClick={clear}>
              Clear all
            </button>
          </div>
          {panel}
        </aside>
        <Results
          filters={asked}
          onRemove={(chip) => change({ [chip.key]: NO_FILTERS[chip.key] } as Partial<Filters>)}
          onClear={() => setParams(paramsFrom(NO_FILTERS))}
        />
      </div>
      <Dialog
        open={sheetOpen}
        onOpenChange={setSheetOpen}
        title="Filters"
        footer={
          <>
            <button type="button" className="btn outline" onClick={clear}>
              Clear all
            </button>
            <button type="button" className="btn primary" onClick={() => setSheetOpen(false)}>
              Show influencers
            </button>
          </>
        }
      >
        <div className="filt">{panel}</div>
      </Dialog>
    </main>
  );
}
