import { Search } from 'lucide-react';
import { ClearButton } from '@/components/ui/clear-button';
import { inputVariants } from '@/components/ui/input-variants';

/** The search field above a list. Results update while typing. */
export function SearchBox(props: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  /** Called on Enter: applies the text without waiting for the pause. */
  onEnter: () => void;
  large?: boolean;
}) {
  return (
    <div className={inputVariants({ size: props.large ? 'large' : 'normal', className: 'flex-1' })}>
      <Search aria-hidden="true" />
      <input
        type="search"
        placeholder={props.placeholder}
        aria-label={props.label}
        maxLength={100}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onEnter();
        }}
      />
      {props.value ? <ClearButton onClear={() => props.onChange('')} /> : null}
    </div>
  );
}
