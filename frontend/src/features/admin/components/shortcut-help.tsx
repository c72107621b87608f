import { useId } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Switch } from '@/components/ui/switch';

export type Shortcut = readonly [key: string, what: string];

/** A list's keyboard shortcuts, and the switch that turns off those of all lists. */
export function ShortcutHelp(props: {
  keys: readonly Shortcut[];
  on: boolean;
  onSwitch: (on: boolean) => void;
  onClose: () => void;
}) {
  const id = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Keyboard shortcuts"
      description="Disabled while typing."
    >
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="font-semibold text-sm">
          Use keyboard shortcuts
        </label>
        <Switch id={id} checked={props.on} onChange={props.onSwitch} />
      </div>
      <dl className="mt-4.5 grid gap-2.5">
        {props.keys.map(([key, what]) => (
          <div className="flex items-center gap-3.5" key={key}>
            <dt className="w-16 flex-none">
              <kbd className="inset-ring inset-ring-border inline-block min-w-7 rounded-sm bg-secondary px-2 py-0.5 text-center font-sans font-semibold text-sm">
                {key}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
