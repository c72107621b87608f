import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { describedBy } from './field';
import { inputVariants } from './input-variants';
import { menuItemVariants, menuVariants } from './menu';

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
  required?: boolean;
  invalid?: boolean;
  onBlur?: () => void;
  /** The name of the form field, to find the control by. */
  field?: string;
}) {
  const hasEmpty = props.options.some((option) => option.value === '');
  const value = props.value === '' && hasEmpty ? EMPTY : props.value;
  return (
    <Radix.Root
      value={value}
      required={props.required}
      onValueChange={(next) => props.onChange(next === EMPTY ? '' : next)}
    >
      <Radix.Trigger
        id={props.id}
        data-field={props.field}
        className={inputVariants({ select: true, invalid: Boolean(props.invalid) })}
        aria-invalid={props.invalid || undefined}
        aria-describedby={describedBy(props.id)}
        onBlur={props.onBlur}
      >
        <span className={!props.value && !hasEmpty ? 'truncate text-muted-foreground' : 'truncate'}>
          <Radix.Value placeholder={props.placeholder} />
        </span>
        <Radix.Icon asChild>
          <ChevronDown className="size-4.5" aria-hidden="true" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={menuVariants({
            className:
              'max-h-[min(340px,var(--radix-select-content-available-height))] w-(--radix-select-trigger-width)',
          })}
          position="popper"
          sideOffset={6}
          collisionPadding={12}
        >
          <Radix.Viewport>
            {props.options.map((option) => (
              <Radix.Item key={option.value} value={option.value || EMPTY} className={menuItemVariants()}>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="ml-auto">
                  <Check className="size-4" aria-hidden="true" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
