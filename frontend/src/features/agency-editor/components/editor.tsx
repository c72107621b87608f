import { ArrowUpRight, Building2, Contact, FilePenLine, Images, Megaphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { BusinessHead, BusinessTabs, statusOf, type TabName } from '@/features/editing/components/business-page';
import { ClashDialog } from '@/features/editing/components/clash-dialog';
import { CompletenessMeter } from '@/features/editing/components/completeness-meter';
import { EditorHeader } from '@/features/editing/components/editor-header';
import { SaveBar } from '@/features/editing/components/save-status';
import type { Portal } from '@/features/editing/portal';
import { useRecordForm } from '@/features/editing/use-record-form';
import { slotSource } from '@/features/pictures/pending';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { agencyParts } from '../completeness';
import { saveAgency } from '../mutations';
import { useAgencyPictures } from '../pictures';
import { ownAgencyQuery } from '../queries';
import { type AgencyRow, formOf, picturesOf } from '../record';
import { type AgencyForm, agency as agencySchema, FIELD_NAMES, type Tab, tabOf } from '../schema';
import { BasicTab } from './basic-tab';
import { ContactPreview, ContactTab } from './contact-tab';
import { ContractNote, ContractTab } from './contract-tab';
import { GalleryTab } from './gallery-tab';

const TABS: Record<Tab, TabName> = {
  basic: { label: 'Basic Info', icon: Building2 },
  gallery: { label: 'Gallery', icon: Images },
  contact: { label: 'Contact & Details', icon: Contact },
  contract: { label: 'Contract', icon: FilePenLine },
  gigs: { label: 'Gigs', icon: Megaphone },
};

const PORTAL: Portal<AgencyForm, AgencyRow, 'banner' | 'logo'> = {
  kind: 'agency',
  schema: agencySchema,
  names: FIELD_NAMES,
  pictureNames: { banner_url: 'Banner', logo_url: 'Logo', gallery: 'Gallery' },
  pictures: useAgencyPictures,
  fieldOf: (column) => column,
  formOf,
  picturesOf,
  ownKey: (userId) => ownAgencyQuery(userId).queryKey,
  root: 'agencies',
  saved: 'Agency profile saved successfully!',
  failed: 'Failed to save agency profile',
  showFault: (message) => toast.error(message),
  save: saveAgency,
};

/** Four tabs share one form and one Save Profile. Gigs are saved individually. */
export function Editor(props: {
  userId: string;
  row: AgencyRow | null;
  /** Shown with the banners above the form. */
  notice?: ReactNode;
  firstTab: Tab;
  onSaved: () => void;
  signOut: () => Promise<void>;
  /** Renders the gigs tab; gets a callback that opens the first tab. */
  gigs: (toBasicInfo: () => void) => ReactNode;
}) {
  const { userId, row } = props;
  const [tab, setTab] = useState<Tab>(props.firstTab);
  const { form, values, changed, discard, submit, isSaving, cancelUpload, clash } = useRecordForm(PORTAL, {
    userId,
    row,
    openTabOf: (field) => setTab(tabOf(field)),
    onSaved: props.onSaved,
  });
  const { slots, photos, sending, failed } = useAgencyPictures();
  const publicPath = row?.id ? paths.agency(row.id) : undefined;
  return (
    <FormProvider {...form}>
      <EditorHeader
        changed={changed}
        signInPath={paths.agencyAuth}
        onSave={submit}
        onDiscard={discard}
        signOut={props.signOut}
      />
      <main className="wrap">
        <BusinessHead
          userId={userId}
          kind="agency"
          name={row ? (row.name ?? '') : undefined}
          logo={row?.logo_url ?? null}
          publicPath={publicPath}
          notice={props.notice}
        />
        <CompletenessMeter
          parts={agencyParts(values, {
            logo: Boolean(slotSource(slots.logo)),
            banner: Boolean(slotSource(slots.banner)),
            photos: photos.length,
          })}
          onTab={setTab}
        />
        <BusinessTabs tabs={TABS} tab={tab} onTab={setTab}>
          {tab === 'gigs' ? (
            <section className={cardVariants()}>{props.gigs(() => setTab('basic'))}</section>
          ) : (
            <form
              className={cardVariants()}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                void submit();
              }}
            >
              <TabBody tab={tab} userId={userId} values={values} onRetry={() => void submit()} />
              <SaveBar
                status={statusOf(changed, row !== null, photos, failed)}
                saving={isSaving}
                sending={sending}
                onCancelUpload={cancelUpload}
              >
                {tab === 'basic' && publicPath ? (
                  <Link className={buttonVariants({ variant: 'ghost' })} to={publicPath} target="_blank">
                    <ArrowUpRight aria-hidden="true" />
                    View page
                  </Link>
                ) : null}
              </SaveBar>
            </form>
          )}
        </BusinessTabs>
      </main>
      {clash ? <ClashDialog {...clash} /> : null}
    </FormProvider>
  );
}

function TabBody(props: { tab: Tab; userId: string; values: AgencyForm; onRetry: () => void }) {
  const { tab, userId, values } = props;
  switch (tab) {
    case 'gallery':
      return (
        <div className="grid gap-5.5 p-6 max-sm:p-4.5">
          <GalleryTab onRetry={props.onRetry} />
        </div>
      );
    case 'contact':
      return (
        <div className="grid *:min-w-0 lg:grid-cols-[minmax(0,1fr)_332px]">
          <div className="grid content-start gap-5.5 p-6 max-sm:p-4.5">
            <ContactTab />
          </div>
          <ContactPreview form={values} />
        </div>
      );
    case 'contract':
      return (
        <div className="grid *:min-w-0 lg:grid-cols-[minmax(0,1fr)_332px]">
          <div className="grid content-start gap-5.5 p-6 max-sm:p-4.5">
            <ContractTab />
          </div>
          <ContractNote />
        </div>
      );
    default:
      return (
        <div className="grid gap-5.5 p-6 max-sm:p-4.5">
          <BasicTab userId={userId} />
        </div>
      );
  }
}
