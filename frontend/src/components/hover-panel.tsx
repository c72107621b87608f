import { ChevronDown, ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

const LEAVING = 300;

/**
 * A panel below its title: it opens under the pointer, on focus and by a click, and closes a moment after it was
 * left. While something in it has the focus it stays, wherever the pointer is.
 */
export function HoverPanel(props: {
  title: string;
  /** How many filters of the panel are applied. */
  count: number;
  /** Beside the title, whether open or not. */
  action?: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointer = useRef(false);
  const focus = useRef(false);
  // The focus that a closing panel gives back to its title must not open it again.
  const quiet = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const stay = () => {
    clearTimeout(timer.current);
    setOpen(true);
  };
  const leave = () => {
    clearTimeout(timer.current);
    if (!pointer.current && !focus.current) timer.current = setTimeout(() => setOpen(false), LEAVING);
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
    quiet.current = true;
    trigger.current?.focus({ preventScroll: true });
    quiet.current = false;
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what the pointer does here, the title's button does too
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
        // A button that was only clicked does not hold the panel open.
        focus.current = target !== trigger.current || target.matches(':focus-visible');
        if (focus.current && !quiet.current) stay();
      }}
      onBlur={() => {
        focus.current = false;
        leave();
      }}
      onKeyDown={(event) => {
        // Escape in an open list closes the list.
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
            // Under the mouse it is open already.
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
