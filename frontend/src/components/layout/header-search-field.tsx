import { Search } from 'lucide-react';
import { ClearButton } from '@/components/ui/clear-button';
import type { HeaderSearch } from './use-header-search';

/** Used in the header and in the phone menu. */
export function HeaderSearchField({ search }: { search: HeaderSearch }) {
  return (
    <>
      <Search className="size-4.5" aria-hidden="true" />
      <input
        type="search"
        placeholder="Search influencers..."
        aria-label="Search influencers"
        value={search.shown}
        onChange={(event) => search.type(event.target.value)}
      />
      {search.shown ? <ClearButton onClear={() => search.type('')} /> : null}
    </>
  );
}
