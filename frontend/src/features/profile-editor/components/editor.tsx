import { AtSign, BriefcaseBusiness, Eye, Images, type LucideIcon, User, Wallet } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { CopyLinkButton } from '@/components/copy-link-button';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { ClashDialog } from '@/features/editing/components/clash-dialog';
import { CompletenessMeter } from '@/features/editing/components/completeness-meter';
import { EditorHeader } from '@/features/editing/components/editor-header';
import { SaveBar } from '@/features/editing/components/save-status';
import type { Portal } from '@/features/editing/portal';
import { useRecordForm } from '@/features/editing/use-record-form';
import { slotSource } from '@/features/pictures/pending';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { constraintOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { profileParts } from '../completeness';
import { FIELD_NAMES, fieldOf } from '../fields';
import { saveProfile } from '../mutations';
import { usePictures } from '../pictures';
import { ownProfileQuery } from '../queries';
import { formOf, type InfluencerRow, picturesOf } from '../record';
import { type ProfileForm, profile, TABS, type Tab, tabOf } from '../schema';
import { StateBanners } from './banners';
import { BasicTab } from './basic-tab';
import { ContentTab } from './content-tab';
import { PaymentTab } from './payment-tab';
import { CardPreview, PreviewDialog } from './preview';
import { ServicesTab } from './services-tab';
import { SocialTab } from './social-tab';

const TAB_NAMES: Record<Tab, [name: string, icon: LucideIcon]> = {
  basic: ['Basic Info', User],
  social: ['Social Media', AtSign],
  services: ['Services', BriefcaseBusiness],
  content: ['Content', Images],
  payment: ['Payment', Wallet],
};

const PORTAL: Portal<ProfileForm, InfluencerRow, 'cover' | 'profile'> = {
  kind: 'influencer',
  schema: profile,
  names: FIELD_NAMES,
  pictureNames: { cover_image: 'Pictures', profile_image: 'Pictures', content_posts: 'Pictures' },
  fieldOf,
  neverSaved: 'service_draft',
  pictures: usePictures,
  formOf,
  picturesOf,
  ownKey: (userId) => ownProfileQuery(userId).queryKey,
  root: 'influencers',
  saved: 'Profile saved successfully!',
  failed: 'Failed to save profile',
  showFault: (message) => toast.error(message),
  faultOf: (error) =>
    constraintOf(error) === 'influencers_username_key'
      ? { name: 'username', message: 'This username is already taken' }
      : undefined,
  save: saveProfile,
};

/** All five tabs share one form: Save Profile stores all of it. */
export function Editor(props: {
  userId: string;
  row: InfluencerRow | null;
  /** Shown with the banners above the form. */
  notice?: ReactNode;
  onSaved: () => void;
  signOut: () => Promise<void>;
}) {
  const { userId, row } = props;
  const [tab, setTab] = useState<Tab>('basic');
  const [previewOpen, setPreviewOpen] = useState(false);
  const { sending, failed, slots, photos } = usePictures();
  const { form, values, changed, discard, submit, isSaving, cancelUpload, clash } = useRecordForm(PORTAL, {
    userId,
    row,
    openTabOf: (field) => setTab(tabOf(field)),
    onSaved: props.onSaved,
  });
  const greeting = (row?.name ?? values.name).trim().split(/\s+/)[0];
  const link = row?.id ? paths.profile(row.id) : undefined;

  return (
    <FormProvider {...form}>
      <EditorHeader
        changed={changed}
        onPreview={() => setPreviewOpen(true)}
        onSave={submit}
        onDiscard={discard}
        signInPath={paths.auth}
        signOut={props.signOut}
      />
      <main className="wrap">
        <div className="pt-7 pb-5">
          <h1 className="wrap-anywhere text-[34px] leading-[1.08] lg:text-[44px]">
            <span lang="ms">Selamat datang</span>
            {greeting ? `, ${greeting}` : ''}
          </h1>
        </div>
        <div className="grid gap-3">
          <StateBanners userId={userId} isSaved={row !== null} isApproved={Boolean(row?.approved)} />
          {props.notice}
        </div>
        <CompletenessMeter
          parts={profileParts(values, {
            profile: Boolean(slotSource(slots.profile)),
            cover: Boolean(slotSource(slots.cover)),
            photos: photos.length,
          })}
          onTab={setTab}
        />
        <EditorTabs tab={tab} onTab={setTab}>
          <form
            className={cardVariants()}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
            noValidate
          >
            <Tabs.Content value={tab} className="grid gap-5.5 p-6 max-sm:p-4.5">
              {tab === 'basic' ? <BasicTab userId={userId} name={values.name} age={row?.age} /> : null}
              {tab === 'social' ? <SocialTab /> : null}
              {tab === 'services' ? <ServicesTab /> : null}
              {tab === 'content' ? <ContentTab onRetry={() => void submit()} /> : null}
              {tab === 'payment' ? <PaymentTab /> : null}
            </Tabs.Content>
            <SaveBar
              status={statusOf(changed.length > 0, row !== null, failed.length)}
              saving={isSaving}
              sending={sending}
              onCancelUpload={cancelUpload}
            />
          </form>
          <aside className="sticky top-6 self-start max-lg:hidden">
            <p className="mb-2 font-semibold text-muted-foreground text-xs">How your card looks in search</p>
            <CardPreview form={values} userId={userId} badge={row?.badge_type} />
            <Button className="mt-3" variant="outline" full onClick={() => setPreviewOpen(true)}>
              <Eye aria-hidden="true" />
              Preview Profile
            </Button>
            {link ? <CopyLinkButton path={link} full /> : null}
          </aside>
        </EditorTabs>
      </main>
      <PreviewDialog form={values} userId={userId} link={link} open={previewOpen} onOpenChange={setPreviewOpen} />
      {clash ? <ClashDialog {...clash} /> : null}
    </FormProvider>
  );
}

function EditorTabs(props: { tab: Tab; onTab: (tab: Tab) => void; children: ReactNode }) {
  const wide = useWideScreen();
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
      orientation={wide ? 'vertical' : 'horizontal'}
      className="grid gap-6 pt-6 pb-16 *:min-w-0 lg:grid-cols-[200px_minmax(0,1fr)_300px]"
    >
      <Tabs.List ref={list} className={tabListVariants({ look: 'side' })} aria-label="Profile">
        {TABS.map((name) => {
          const [label, Icon] = TAB_NAMES[name];
          return (
            <Tabs.Trigger key={name} value={name} className={tabVariants({ look: 'side' })}>
              <Icon aria-hidden="true" />
              {label}
            </Tabs.Trigger>
          );
        })}
      </Tabs.List>
      {props.children}
    </Tabs.Root>
  );
}

function statusOf(changed: boolean, saved: boolean, failed: number): string {
  if (failed > 0) return failed === 1 ? '1 picture is not uploaded yet' : `${failed} pictures are not uploaded yet`;
  if (changed) return 'Unsaved changes';
  return saved ? 'All changes saved' : 'Nothing saved yet';
}
