import { Contact, Store } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FormProvider } from 'react-hook-form';
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
import { vendorParts } from '../completeness';
import { saveVendor } from '../mutations';
import { useVendorPictures } from '../pictures';
import { ownVendorQuery } from '../queries';
import { formOf, picturesOf, type VendorRow } from '../record';
import { FIELD_NAMES, type Tab, tabOf, type VendorForm, vendor as vendorSchema } from '../schema';
import { BasicTab } from './basic-tab';
import { CardPreview } from './card-preview';
import { ContactTab } from './contact-tab';

const TABS: Record<Tab, TabName> = {
  basic: { label: 'Basic Info', icon: Store },
  contact: { label: 'Contact & Details', icon: Contact },
};

const PORTAL: Portal<VendorForm, VendorRow, 'logo'> = {
  kind: 'vendor',
  schema: vendorSchema,
  names: FIELD_NAMES,
  pictureNames: { logo_url: 'Logo' },
  pictures: useVendorPictures,
  fieldOf: (column) => column,
  formOf,
  picturesOf,
  ownKey: (userId) => ownVendorQuery(userId).queryKey,
  root: 'vendors',
  saved: 'Vendor profile saved successfully!',
  failed: 'Failed to save vendor profile',
  showFault: (message) => toast.error('Validation Error', { description: message }),
  save: saveVendor,
};

/** Both tabs share one form: Save Profile stores all of it. */
export function Editor(props: {
  userId: string;
  row: VendorRow | null;
  /** Shown with the banners above the form. */
  notice?: ReactNode;
  onSaved: () => void;
  signOut: () => Promise<void>;
}) {
  const { userId, row } = props;
  const [tab, setTab] = useState<Tab>('basic');
  const { slots, photos, sending, failed } = useVendorPictures();
  const { form, values, changed, discard, submit, isSaving, cancelUpload, clash } = useRecordForm(PORTAL, {
    userId,
    row,
    openTabOf: (field) => setTab(tabOf(field)),
    onSaved: props.onSaved,
  });
  return (
    <FormProvider {...form}>
      <EditorHeader
        changed={changed}
        signInPath={paths.vendorAuth}
        onSave={submit}
        onDiscard={discard}
        signOut={props.signOut}
      />
      <main className="wrap">
        <BusinessHead
          userId={userId}
          kind="vendor"
          name={row ? (row.name ?? '') : undefined}
          logo={row?.logo_url ?? null}
          notice={props.notice}
        />
        <CompletenessMeter parts={vendorParts(values, { logo: Boolean(slotSource(slots.logo)) })} onTab={setTab} />
        <BusinessTabs
          tabs={TABS}
          tab={tab}
          onTab={setTab}
          aside={<CardPreview form={values} userId={userId} isSaved={row !== null} />}
        >
          <form
            className={cardVariants()}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <div className="grid gap-5.5 p-6 max-sm:p-4.5">
              {tab === 'basic' ? <BasicTab userId={userId} /> : <ContactTab />}
            </div>
            <SaveBar
              status={statusOf(changed, row !== null, photos, failed)}
              saving={isSaving}
              sending={sending}
              onCancelUpload={cancelUpload}
            />
          </form>
        </BusinessTabs>
      </main>
      {clash ? <ClashDialog {...clash} /> : null}
    </FormProvider>
  );
}
