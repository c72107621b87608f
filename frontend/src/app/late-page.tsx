import { type ComponentType, lazy, useState } from 'react';

export interface LatePage<Props> {
  (props: Props): React.ReactNode;
  /** Fetches it before it is opened: then it is shown without anything in its place. */
  load: () => Promise<unknown>;
}

/** A page that is loaded when it is opened. */
export function latePage<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LatePage<Props> {
  let loaded: ComponentType<Props> | undefined;
  // The import's own promise: a step behind it, and React would draw something in the page's place.
  const fetchPage = () => {
    const module = load();
    module.then(
      (page) => {
        loaded = page.default;
      },
      () => {},
    );
    return module;
  };
  const Late = lazy(fetchPage);
  function Page(props: Props) {
    // One type for as long as it is open: with another it would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Late);
    return <Shown {...props} />;
  }
  return Object.assign(Page, { load: fetchPage });
}
