import { Coffee, Cpu, Gamepad2, LayoutGrid, type LucideIcon, Plane, Shirt, Sparkles } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { CATEGORIES } from '@/lib/kinds';

const ROW = ['All', ...CATEGORIES] as const;
export type Category = (typeof ROW)[number];

const ICONS: Record<Category, LucideIcon> = {
  All: LayoutGrid,
  Fashion: Shirt,
  Tech: Cpu,
  Gaming: Gamepad2,
  Lifestyle: Coffee,
  Beauty: Sparkles,
  Travel: Plane,
};

/** The seven categories in a row, with the filtered content below. */
export function CategoryTabs(props: {
  value: string;
  onChange: (category: string) => void;
  /** Set where categories don't apply: a selected category can then only be cleared. */
  disabled?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = row.current?.querySelector(`[data-state="active"]`);
    // On a phone the row is wider than the screen, so scroll the selected category into view.
    if (chosen instanceof HTMLElement && row.current)
      row.current.scrollLeft = chosen.offsetLeft - row.current.offsetLeft - 16;
  }, []);
  return (
    <Tabs.Root className={props.className} value={props.value} onValueChange={props.onChange} activationMode="manual">
      <Tabs.List ref={row} className={tabListVariants({ look: 'pill' })} aria-label="Category">
        {ROW.map((name) => {
          const Icon = ICONS[name];
          return (
            <Tabs.Trigger
              key={name}
              value={name}
              disabled={Boolean(props.disabled) && name !== 'All' && name !== props.value}
              className={tabVariants({ look: 'pill' })}
            >
              <Icon aria-hidden="true" />
              {name}
            </Tabs.Trigger>
          );
        })}
      </Tabs.List>
      <Tabs.Content value={props.value}>{props.children}</Tabs.Content>
    </Tabs.Root>
  );
}
