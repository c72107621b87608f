// The page around an agency's or vendor's form: heading, welcome banner, tabs, and the panel with its save bar.
import { Hand, type LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyLinkButton } from '@/components/copy-link-button';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { isUnsaved, type Photo } from '@/features/pictures/pending';
import { useWideScreen } from '@/hooks/use-wide-screen';
import '@/styles/editor.css';
import '@/styles/business.css';

/** The name and logo; before the first save, a greeting and what to do. */
export function BusinessHead(props: {
  userId: string;
  kind: 'agency' | 'vendor';
  /** The stored name; undefined before the first save. */
  name: string | undefined;
  logo: string | null;
  /** The public page, if there is one. */
  publicPath?: string;
}) {
  if (props.name === undefined) {
    return (
      <>
        <div className="ph business-greeting">
          <h1 lang="ms">Selamat datang</h1>
        </div>
        <div className="ban green" role="status">
          <span className="bi">
            <Hand className="i" aria-hidden="true" />
          </span>
          <div className="grow">
            <h2>Welcome to Serasi</h2>
            <p>
              Fill in Basic Info and press save to create your {props.kind} profile. Only your name and e-mail are
              required.
            </p>
          </div>
        </div>
      </>
    );
  }
  return (
    <div className="ph row wrapf business-head">
      <span className="lg business-logo">
        <Picture
          src={props.logo}
          alt=""
          width={60}
          height={60}
          fallback={<UbinPattern seed={props.userId} columns={1} rows={1} />}
        />
      </span>
      <div className="grow">
        <h1>{props.name}</h1>
        <p>{props.kind === 'agency' ? 'Agency dashboard' : 'Vendor dashboard'}</p>
      </div>
      {props.publicPath ? <CopyLinkButton path={props.publicPath} /> : null}
    </div>
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
      className={props.aside ? 'dash three' : 'dash'}
    >
      <Tabs.List ref={list} className="vtabs" aria-label="Dashboard">
        {(Object.entries(props.tabs) as [Tab, TabName][]).map(([name, { label, icon: Icon }]) => (
          <Tabs.Trigger key={name} value={name} className={name === props.tab ? 'on' : ''}>
            <Icon className="i" aria-hidden="true" />
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
