import { clsx } from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { describedBy } from './field';

export interface Option {
  value: string;
  label: string;
}

/** Radix doesn't allow empty values; this one represents it internally. */
const EMPTY = '-';

export function Select(props: {
  id: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
  placeholder?: string;
  invalid?: boolean;
  onBlur?: () => void;
}) {
  const hasEmpty = props.options.some((option) => option.value === '');
  const value = props.value === '' && hasEmpty ? EMPTY : props.value;
  return (
    <Radix.Root value={value} onValueChange={(next) => props.onChange(next === EMPTY ? '' : next)}>
      <Radix.Trigger
        id={props.id}
        className={clsx('inp sel', props.invalid && 'err')}
        aria-invalid={props.invalid || undefined}
        aria-describedby={describedBy(props.id)}
        onBlur={props.onBlur}
      >
        <span className={clsx('trunc', !props.value && !hasEmpty && 'muted')}>
          <Radix.Value placeholder={props.placeholder} />
        </span>
        <Radix.Icon asChild>
          <ChevronDown className="i i18" aria-hidden="true" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu select-menu" position="popper" sideOffset={6} collisionPadding={12}>
          <Radix.Viewport>
            {props.options.map((option) => (
              <Radix.Item key={option.value} value={option.value || EMPTY} className="menu-item">
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="menu-check">
                  <Check className="i i16" aria-hidden="true" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
