import { Dialog } from '@/components/ui/dialog';

const SHORTCUTS = [
  [['/'], 'Search'],
  [['?'], 'Show this help'],
  [['Esc'], 'Close a dialog, a menu or the filters'],
  [['←', '→'], 'Move between tabs; change a slider'],
  [['Home', 'End'], 'Go to the first or last tab; set a slider to its end'],
] as const;

/** The keyboard shortcuts of the public pages. Open when mounted, because it is loaded on demand. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" description="Disabled while typing.">
      <dl className="grid gap-2.5">
        {SHORTCUTS.map(([keys, what]) => (
          <div className="flex items-center gap-3.5" key={what}>
            <dt className="flex w-26 flex-none gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="inset-ring inset-ring-border inline-block min-w-7 rounded-sm bg-secondary px-2 py-0.5 text-center font-sans font-semibold text-sm"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
