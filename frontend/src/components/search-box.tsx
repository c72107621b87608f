import { Search } from 'lucide-react';

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
    <div className={props.large ? 'inp grow large' : 'inp'}>
      <Search className="i" aria-hidden="true" />
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
    </div>
  );
}
