import { useId } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Switch } from '@/components/ui/switch';

const EVERYWHERE = [
  ['j', 'Next account'],
  ['k', 'Previous account'],
  ['Enter', 'Open the account'],
  ['d', 'Delete the account (asks first)'],
  ['n', 'Next page'],
  ['p', 'Previous page'],
  ['/', 'Search'],
  ['?', 'Show this help'],
] as const;

const PENDING = [
  ['a', 'Approve the account, or all selected accounts'],
  ['x', 'Select the account'],
] as const;

export function ShortcutHelp(props: {
  pending: boolean;
  on: boolean;
  onSwitch: (on: boolean) => void;
  onClose: () => void;
}) {
  const id = useId();
  const keys = props.pending ? [...PENDING, ...EVERYWHERE] : EVERYWHERE;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Keyboard shortcuts"
      description="Disabled while typing."
    >
      <div className="row between">
        <label htmlFor={id} className="lab">
          Use keyboard shortcuts
        </label>
        <Switch id={id} checked={props.on} onChange={props.onSwitch} />
      </div>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
