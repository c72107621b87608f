import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { loadFilterPanel } from './late-panel';

/** By then the first rows stand, and the files are nobody's rival. */
const PREPARED_AFTER_MS = 4000;

async function load() {
  const [{ default: Dialog }, { default: FilterPanel }] = await Promise.all([
    import('./components/filter-sheet'),
    loadFilterPanel(),
  ]);
  return { Dialog, FilterPanel };
}

type Parts = Awaited<ReturnType<typeof load>>;

/** Who presses without a connection is told then. */
function prepareWith(keep: (parts: Parts) => void) {
  load().then(keep, () => undefined);
}

/**
 * The sheet of filters of a narrow screen, whose files the page does not wait for: they come a while later, or when
 * somebody reaches for them. What can't be loaded is told, and can be tried again.
 */
export function useLateSheet(narrow: boolean) {
  const [parts, setParts] = useState<Parts>();
  const [open, setOpen] = useState(false);

  const show = async () => {
    try {
      setParts(await load());
      setOpen(true);
    } catch {
      toast.error("The filters can't be loaded", { description: 'Check your connection and try again.' });
    }
  };

  useEffect(() => {
    if (!narrow) return;
    const timer = setTimeout(() => prepareWith(setParts), PREPARED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [narrow]);

  return { parts, open, setOpen, prepare: () => prepareWith(setParts), show };
}
