import { Switch as Radix } from 'radix-ui';

export function Switch(props: { id: string; checked: boolean; onChange: (checked: boolean) => void; label?: string }) {
  return (
    <Radix.Root
      id={props.id}
      className={props.checked ? 'switch on' : 'switch'}
      checked={props.checked}
      onCheckedChange={props.onChange}
      aria-label={props.label}
    />
  );
}
