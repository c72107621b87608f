import { Search } from 'lucide-react';

/** The field above a list. Its answers come while one types. */
export function SearchBox(props: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  /** Enter: what is typed is enough. */
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
