import { tabListVariants, tabVariants } from '@/components/ui/tabs';
// The page around an agency's or vendor's form: heading, welcome banner, tabs, and the panel with its save bar.

import { Hand, type LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyLinkButton } from '@/components/copy-link-button';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Banner } from '@/components/ui/banner';
import { isUnsaved, type Photo } from '@/features/pictures/pending';
import { useWideScreen } from '@/hooks/use-wide-screen';

/** The name and logo; before the first save, a greeting and what to do. */
export function BusinessHead(props: {
  userId: string;
  kind: 'agency' | 'vendor';
  /** The stored name; undefined before the first save. */
  name: string | undefined;
  logo: string | null;
  /** The public page, if there is one. */
  publicPath?: string;
  /** Shown below. */
  notice?: ReactNode;
}) {
  if (props.name === undefined) {
    return (
      <>
        <div className="pt-7 pb-5">
          <h1 className="text-[34px] leading-[1.08]" lang="ms">
            Selamat datang
          </h1>
        </div>
        <div className="grid gap-3">
          <Banner tone="green" icon={Hand} title="Welcome to Serasi" role="status">
            <p>
              Fill in Basic Info and press save to create your {props.kind} profile. Only your name and e-mail are
              required.
            </p>
          </Banner>
          {props.notice}
        </div>
      </>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-4 pt-7 pb-2">
        <span className="photo-edge relative size-15 flex-none overflow-hidden rounded-[22%]">
          <Picture
            className="size-full object-cover"
            src={props.logo}
            alt=""
            width={60}
            height={60}
            fallback={<UbinPattern seed={props.userId} columns={1} rows={1} />}
          />
        </span>
        <div className="min-w-[min(100%,140px)] flex-1">
          <h1 className="wrap-anywhere text-[30px] leading-[1.08]">{props.name}</h1>
          <p className="mt-0.5 text-[15px] text-muted-foreground">
            {props.kind === 'agency' ? 'Agency dashboard' : 'Vendor dashboard'}
          </p>
        </div>
        {props.publicPath ? <CopyLinkButton path={props.publicPath} compact /> : null}
      </div>
      {props.notice}
    </>
  );
}

export interface TabName {
  label: string;
  icon: LucideIcon;
}

/** The tabs of a form; `children` is the open tab's panel. */
export function BusinessTabs<Tab extends string>(props: {
  tabs: Record<Tab, TabName>;
  tab: Tab;
  onTab: (tab: Tab) => void;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const isWide = useWideScreen();
  const list = useRef<HTMLDivElement>(null);
  // On phones the tab row scrolls, and a validation error may open a tab that is out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls each newly opened tab into view
  useEffect(() => {
    const row = list.current;
    const open = row?.querySelector<HTMLElement>('[aria-selected=true]');
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }, [props.tab]);
  return (
    <Tabs.Root
      value={props.tab}
      onValueChange={(next) => props.onTab(next as Tab)}
      orientation={isWide ? 'vertical' : 'horizontal'}
      className={
        props.aside
          ? 'grid gap-6 pt-6 pb-16 *:min-w-0 lg:grid-cols-[200px_minmax(0,1fr)_300px]'
          : 'grid gap-6 pt-6 pb-16 *:min-w-0 lg:grid-cols-[220px_minmax(0,1fr)]'
      }
    >
      <Tabs.List ref={list} className={tabListVariants({ look: 'side' })} aria-label="Dashboard">
        {(Object.entries(props.tabs) as [Tab, TabName][]).map(([name, { label, icon: Icon }]) => (
          <Tabs.Trigger key={name} value={name} className={tabVariants({ look: 'side' })}>
            <Icon aria-hidden="true" />
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value={props.tab} asChild>
        {props.children}
      </Tabs.Content>
      {props.aside}
    </Tabs.Root>
  );
}

/** The save bar's text while nothing is being uploaded. */
export function statusOf(changed: string[], isSaved: boolean, photos: Photo[], failed: string[]): string {
  const refused = photos.filter((photo) => isUnsaved(photo) && failed.includes(photo.id)).length;
  if (refused > 0) return `${refused} ${refused === 1 ? 'image' : 'images'} failed`;
  if (changed.length > 0) return 'Unsaved changes';
  return isSaved ? 'All changes saved' : 'Nothing saved yet';
}
