import { clsx } from 'clsx';
import { ChevronDown, ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cardVariants } from '@/components/ui/card';
import { Count } from '@/components/ui/count';

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
  /** The panel's margins. */
  className?: string;
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
      className={cardVariants({
        className: clsx(
          'relative py-2.5 pr-3.5 pl-2.5',
          open && 'lg:z-10 lg:rounded-b-none',
          props.className ?? 'mt-5 mb-6',
        ),
      })}
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
      <div className="flex items-center justify-between gap-3 max-[360px]:flex-wrap">
        <button
          ref={trigger}
          type="button"
          data-slot="hover-title"
          className="inline-flex min-h-11 items-center gap-2.5 rounded-md px-3.5 text-left font-bold max-[380px]:gap-2 max-[380px]:px-2 max-[380px]:text-[17px] font-display text-[18px] leading-[1.2]"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => {
            clearTimeout(timer.current);
            // With a mouse, hovering has already opened it.
            setOpen(pointer.current || !open);
          }}
        >
          <ListFilter aria-hidden="true" />
          {props.title}
          {props.count > 0 ? (
            <Count hot>
              {props.count}
              <span className="sr-only"> active</span>
            </Count>
          ) : null}
          <ChevronDown
            className={clsx('size-4.5 transition-transform duration-(--dur-2)', open && 'rotate-180')}
            aria-hidden="true"
          />
        </button>
        {props.action}
      </div>
      <div
        id={id}
        className="pt-2 pr-2.5 pb-3.5 pl-3.5 lg:absolute lg:-inset-x-px lg:top-full lg:z-10 lg:rounded-b-xl lg:border lg:border-border lg:border-t-0 lg:bg-card lg:px-6 lg:pt-2 lg:pb-6 lg:shadow-lg lg:[clip-path:inset(0_-40px_-60px)]"
        hidden={!open}
      >
        {props.children(close)}
      </div>
    </section>
  );
}
