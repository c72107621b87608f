import { useEffect, useState } from 'react';
import { toast } from '@/lib/toast';
import { loadFilterPanel } from './lazy-panel';

/** By then the first rows have loaded, so these files don't compete with them. */
const PREPARED_AFTER_MS = 4000;

async function load() {
  const [{ default: Dialog }, { default: FilterPanel }] = await Promise.all([
    import('./components/filter-sheet'),
    loadFilterPanel(),
  ]);
  return { Dialog, FilterPanel };
}

type Parts = Awaited<ReturnType<typeof load>>;

/** Errors are ignored here and reported when the button is pressed. */
function prepareWith(keep: (parts: Parts) => void) {
  load().then(keep, () => undefined);
}

/**
 * The filter sheet of narrow screens. Its files are not part of the page: they are loaded after a delay, or as soon as
 * the button is touched. After a failed load only a new page helps: browsers remember which modules failed.
 */
export function useLazySheet(narrow: boolean) {
  const [parts, setParts] = useState<Parts>();
  const [open, setOpen] = useState(false);

  const show = async () => {
    try {
      setParts(await load());
      setOpen(true);
    } catch {
      toast.error("The filters can't be loaded", {
        description: 'Check your connection and reload the page.',
        action: { label: 'Reload', onClick: () => window.location.reload() },
      });
    }
  };

  useEffect(() => {
    if (!narrow) return;
    const timer = setTimeout(() => prepareWith(setParts), PREPARED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [narrow]);

  return { parts, open, setOpen, prepare: () => prepareWith(setParts), show };
}
