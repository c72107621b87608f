import { Switch as Radix } from 'radix-ui';

export function Switch(props: { id: string; checked: boolean; onChange: (checked: boolean) => void; label?: string }) {
  return (
    <Radix.Root
      id={props.id}
      className="relative h-7 w-12 flex-none rounded-full bg-input transition-colors duration-(--dur-2) data-[state=checked]:bg-primary"
      checked={props.checked}
      onCheckedChange={props.onChange}
      aria-label={props.label}
    >
      <Radix.Thumb className="absolute top-0.75 left-0.75 size-5.5 rounded-full bg-white shadow-sm transition-transform duration-(--dur-2) ease-out data-[state=checked]:translate-x-5 dark:data-[state=checked]:bg-[#06231a]" />
    </Radix.Root>
  );
}
