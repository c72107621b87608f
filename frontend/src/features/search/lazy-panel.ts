// The filter panel is large, so pages on phones load it on demand.
import { lazy } from 'react';
import type { FilterPanel } from './components/filter-panel';

let loaded: typeof FilterPanel | undefined;

export async function loadFilterPanel() {
  const { FilterPanel } = await import('./components/filter-panel');
  loaded = FilterPanel;
  return { default: FilterPanel };
}

const LazyPanel = lazy(loadFilterPanel);

/** Returns the loaded component if there is one, so that it renders without a fallback. */
export const filterPanel = () => loaded ?? LazyPanel;
