// The panel of filters is large: a page on a phone does without until it is asked for.
import { lazy } from 'react';
import type { FilterPanel } from './components/filter-panel';

let loaded: typeof FilterPanel | undefined;

export async function loadFilterPanel() {
  const { FilterPanel } = await import('./components/filter-panel');
  loaded = FilterPanel;
  return { default: FilterPanel };
}

const LatePanel = lazy(loadFilterPanel);

/** Once it is loaded it is drawn at once: nothing stands in its place first. */
export const filterPanel = () => loaded ?? LatePanel;
