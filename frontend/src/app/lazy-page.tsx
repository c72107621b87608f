import { type ComponentType, lazy, useState } from 'react';

export interface LazyPage<Props> {
  (props: Props): React.ReactNode;
  /** Preloads the page, so that it opens without a fallback. */
  load: () => Promise<unknown>;
}

const failed = new Set<() => void>();

/** React keeps the result of a failed import. After this, the next render loads the page again. */
export function forgetFailures() {
  for (const forget of failed) forget();
  failed.clear();
}

/** Creates a page that is loaded when it is first opened. */
export function lazyPage<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let loaded: ComponentType<Props> | undefined;
  // Returns the import's own promise. A derived promise resolves one tick later, and React would show the fallback.
  const fetchPage = () => {
    const module = load();
    module.then(
      (page) => {
        loaded = page.default;
      },
      () => {
        failed.add(() => {
          late = lazy(fetchPage);
        });
      },
    );
    return module;
  };
  let late = lazy(fetchPage);
  function Page(props: Props) {
    // Keeps the same component type while the page is open: a different type would remount it.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? late);
    return <Shown {...props} />;
  }
  return Object.assign(Page, { load: fetchPage });
}
