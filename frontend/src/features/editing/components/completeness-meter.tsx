import { ChevronDown, CircleCheck, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { useWideScreen } from '@/hooks/use-wide-screen';
import type { Part } from '../completeness';

/** How complete a profile is. Missing parts are buttons that open the tab and focus the control. */
export function CompletenessMeter<Tab extends string>(props: { parts: Part<Tab>[]; onTab: (tab: Tab) => void }) {
  const { parts, onTab } = props;
  const id = useId();
  const wide = useWideScreen();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? wide;
  const missing = parts.filter((part) => !part.done);
  const percent = Math.round((1 - missing.length / parts.length) * 100);
  if (missing.length === 0) {
    return (
      <p className="mt-4 flex items-center gap-2 text-muted-foreground text-sm">
        <CircleCheck className="size-4.5 text-success" aria-hidden="true" />
        Your profile is complete.
      </p>
    );
  }
  function go({ tab, control }: Part<Tab>) {
    // Rendered immediately, because a control in a closed tab can't be focused.
    flushSync(() => onTab(tab));
    const found = [...document.querySelectorAll<HTMLElement>(control)];
    const target = found.find((element) => element.closest('form'));
    target?.scrollIntoView({ block: 'center' });
    target?.focus({ preventScroll: true });
  }
  return (
    <section
      className={cardVariants({ className: 'mt-4 px-5 py-4 max-lg:mt-2 max-lg:py-1.5 max-sm:px-4.5' })}
      aria-labelledby={id}
    >
      <div className="flex items-center gap-4">
        <h2 className="text-[17px] tracking-[-0.01em]" id={id}>
          Your profile is {percent}% complete
        </h2>
        <meter className="sr-only" aria-labelledby={id} min={0} max={100} value={percent} />
        <div className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-secondary" aria-hidden="true">
          <div className="h-full rounded-full bg-primary" style={{ width: `${percent}%` }} />
        </div>
        <Button
          variant="ghost"
          size="small"
          className="-mr-2"
          aria-expanded={open}
          aria-controls={`${id}-missing`}
          onClick={() => setChosen(!open)}
        >
          {open ? 'Hide' : 'Show'}
          <span className="sr-only"> what is missing</span>
          <ChevronDown className={open ? 'size-4 rotate-180' : 'size-4'} aria-hidden="true" />
        </Button>
      </div>
      <ul className="mt-3 flex flex-wrap gap-2" id={`${id}-missing`} hidden={!open}>
        {missing.map((part) => (
          <li key={part.todo}>
            <Button variant="outline" size="small" onClick={() => go(part)}>
              <Plus aria-hidden="true" />
              {part.todo}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
