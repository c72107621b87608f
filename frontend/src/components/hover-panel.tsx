import { ChevronDown, ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

const CLOSE_DELAY_MS = 300;

/**
 * A collapsible panel: opens on hover, focus and click, and closes shortly after the pointer leaves. It stays open
 * while something inside it has the focus.
 */
export function HoverPanel(props: {
  title: string;
  /** The number of applied filters in the panel. */
  count: number;
  /** Shown beside the title, whether the panel is open or not. */
  action?: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointer = useRef(false);
  const focus = useRef(false);
  // Set while a closing panel returns focus to its title, so that the focus doesn't reopen it.
  const quiet = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const stay = () => {
    clearTimeout(timer.current);
    setOpen(true);
  };
  const leave = () => {
    clearTimeout(timer.current);
    if (!pointer.current && !focus.current) timer.current = setTimeout(() => setOpen(false), CLOSE_DELAY_MS);
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
    quiet.current = true;
    trigger.current?.focus({ preventScroll: true });
    quiet.current = false;
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the title's button does the same for the keyboard
    <section
      className={open ? 'card hover-panel open' : 'card hover-panel'}
      onPointerEnter={(event) => {
        if (event.pointerType !== 'mouse') return;
        pointer.current = true;
        stay();
      }}
      onPointerLeave={(event) => {
        if (event.pointerType !== 'mouse') return;
        pointer.current = false;
        leave();
      }}
      onFocus={({ target }) => {
        // Clicking the button doesn't hold the panel open.
        focus.current = target !== trigger.current || target.matches(':focus-visible');
        if (focus.current && !quiet.current) stay();
      }}
      onBlur={() => {
        focus.current = false;
        leave();
      }}
      onKeyDown={(event) => {
        // Escape in an open select closes only that select.
        if (event.key === 'Escape' && open && !event.defaultPrevented) close();
      }}
    >
      <div className="row between">
        <button
          ref={trigger}
          type="button"
          className="hover-title"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => {
            clearTimeout(timer.current);
            // With a mouse, hovering has already opened it.
            setOpen(pointer.current || !open);
          }}
        >
          <ListFilter className="i" aria-hidden="true" />
          {props.title}
          {props.count > 0 ? (
            <span className="count hot">
              {props.count}
              <span className="sr"> active</span>
            </span>
          ) : null}
          <ChevronDown className="i i18 hover-arrow" aria-hidden="true" />
        </button>
        {props.action}
      </div>
      <div id={id} className="hover-body" hidden={!open}>
        {props.children(close)}
      </div>
    </section>
  );
}
