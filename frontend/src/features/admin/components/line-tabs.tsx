import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { Count } from '@/components/ui/count';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { LIVE } from '../live';
import { type Counts, countsQuery } from '../queries';

export interface Tab {
  value: string;
  label: string;
  count?: keyof Counts;
  content: ReactNode;
}

/** The open tab is part of the URL. Switching tabs drops the current tab's filters. */
export function LineTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [params, setParams] = useSearchParams();
  const { data: counts, refetch } = useQuery({ ...countsQuery, ...LIVE });
  const { refresh } = useSession();
  // No row: this account is no longer an admin.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each response
  useEffect(() => {
    if (counts === null) void refresh();
  }, [counts]);
  const first = tabs[0]?.value ?? '';
  const open = tabs.find((tab) => tab.value === params.get('tab'))?.value ?? first;
  const strip = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab opens
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>('[aria-selected=true]');
    // On a phone the tab strip is wider than the screen, so scroll the open tab into view.
    void refetch();
    if (tab && strip.current) strip.current.scrollLeft = tab.offsetLeft - strip.current.offsetLeft - 16;
  }, [open]);
  return (
    <Tabs.Root
      value={open}
      activationMode="manual"
      onValueChange={(value) => setParams(value === first ? {} : { tab: value })}
    >
      <Tabs.List ref={strip} className={tabListVariants({ look: 'line' })} aria-label={label}>
        {tabs.map((tab) => {
          const count = tab.count && counts ? counts[tab.count] : undefined;
          return (
            <Tabs.Trigger key={tab.value} value={tab.value} className={tabVariants({ look: 'line' })}>
              {tab.label}
              {count === undefined ? null : (
                <Count hot={tab.value === 'pending' && count > 0}>{count.toLocaleString('en')}</Count>
              )}
            </Tabs.Trigger>
          );
        })}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Content key={tab.value} value={tab.value} className="mt-5">
          {tab.content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
