import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AtSign, BriefcaseBusiness, Eye, Hourglass, Images, type LucideIcon, User, Wallet } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, FormProvider, useForm, useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { constraintOf } from '@/lib/errors';
import { changedFields } from '../changes';
import { saveProfile } from '../mutations';
import { usePictures } from '../pictures';
import { ownProfileQuery } from '../queries';
import { formOf, type InfluencerRow, photosOf } from '../record';
import { type ProfileForm, profile as profileSchema, TABS, type Tab, tabOf } from '../schema';
import { useKeptDraft } from '../use-kept-draft';
import { BasicTab } from './basic-tab';
import { ContentTab } from './content-tab';
import { EditorHeader } from './editor-header';
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

/** The five tabs are one form: one Save Profile stores all of it. */
export function Editor(props: {
  userId: string;
  row: InfluencerRow | null;
  onSaved: () => void;
  signOut: () => Promise<void>;
}) {
  const { userId, row } = props;
  const [tab, setTab] = useState<Tab>('basic');
  const [previewOpen, setPreviewOpen] = useState(false);
  const client = useQueryClient();
  const pictures = usePictures();
  const form = useForm<ProfileForm>({
    resolver: zodResolver(profileSchema),
    defaultValues: formOf(row),
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control }) as ProfileForm;
  const changed = changedFields(form.formState.dirtyFields, pictures.changed);

  const { picturesKept, discard } = useKeptDraft({ userId, form, unsaved: changed.length > 0 });
  const firstRow = useRef(row);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a record that was loaded or saved replaces the pictures
  useEffect(() => {
    if (picturesKept && row === firstRow.current) return;
    pictures.load(row?.cover_image ?? null, row?.profile_image ?? null, photosOf(row?.content_posts ?? null));
  }, [row]);

  const save = useMutation({
    mutationFn: (input: ProfileForm) =>
      saveProfile({
        userId,
        before: row,
        form: input,
        cover: pictures.cover,
        profile: pictures.profile,
        content: pictures.content,
        onUploadFailed: (kind) => toast.error(`Failed to upload ${kind} image`),
      }),
    onSuccess: (saved) => {
      form.reset(formOf(saved));
      client.setQueryData(ownProfileQuery(userId).queryKey, saved);
      toast.success('Profile saved successfully!');
      props.onSaved();
    },
    onError: (error) => {
      if (constraintOf(error) === 'influencers_username_key') {
        setTab('basic');
        form.setError('username', { message: 'This username is already taken' });
        toast.error('This username is already taken');
        return;
      }
      toast.error('Failed to save profile', { description: error.message });
    },
  });

  /** Only the first broken rule is told; its tab opens and its field gets the focus. */
  function refuse(errors: FieldErrors<ProfileForm>) {
    const first = firstFault(errors);
    if (!first) return;
    for (const name of Object.keys(errors))
      if (name !== first.name.split('.')[0]) form.clearErrors(name as keyof ProfileForm);
    setTab(tabOf(first.name));
    toast.error(first.message);
    setTimeout(() => form.setFocus(first.name as 'name'), 0);
  }
  /** Whether everything was stored. A refused save has said so already. */
  async function submit(): Promise<boolean> {
    let stored = false;
    const store = async (input: ProfileForm) => {
      stored = await save.mutateAsync(input).then(
        () => true,
        () => false,
      );
    };
    await form.handleSubmit(store, refuse)();
    return stored;
  }
  const greeting = (row?.name ?? values.name).trim().split(/\s+/)[0];

  return (
    <FormProvider {...form}>
      <EditorHeader
        changed={changed}
        onPreview={() => setPreviewOpen(true)}
        onSave={submit}
        onDiscard={discard}
        signOut={props.signOut}
      />
      <main className="wrap">
        <div className="ph" style={{ padding: '28px 0 20px' }}>
          <h1 style={{ fontSize: 34 }}>
            <span lang="ms">Selamat datang</span>
            {greeting ? `, ${greeting}` : ''}
          </h1>
        </div>
        {row?.approved ? null : <PendingBanner />}
        <Tabs.Root
          value={tab}
          onValueChange={(next) => setTab(next as Tab)}
          orientation="vertical"
          className="dash three"
        >
          <Tabs.List className="vtabs" aria-label="Profile">
            {TABS.map((name) => {
              const [label, Icon] = TAB_NAMES[name];
              return (
                <Tabs.Trigger key={name} value={name} className={name === tab ? 'on' : ''}>
                  <Icon className="i" aria-hidden="true" />
                  {label}
                </Tabs.Trigger>
              );
            })}
          </Tabs.List>
          <form
            className="card panel"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
            noValidate
          >
            <Tabs.Content value={tab} className="pad stack" style={{ gap: 22 }}>
              {tab === 'basic' ? <BasicTab userId={userId} name={values.name} age={row?.age} /> : null}
              {tab === 'social' ? <SocialTab /> : null}
              {tab === 'services' ? <ServicesTab /> : null}
              {tab === 'content' ? <ContentTab /> : null}
              {tab === 'payment' ? <PaymentTab /> : null}
            </Tabs.Content>
            <div className="savebar">
              <span className="sm muted m-hide" style={{ marginRight: 'auto' }} role="status">
                {changed.length > 0 ? 'Unsaved changes' : row ? 'All changes saved' : ''}
              </span>
              <Button type="submit" busy={save.isPending}>
                {save.isPending ? 'Saving...' : 'Save Profile'}
              </Button>
            </div>
          </form>
          <aside className="d-only card-preview">
            <p className="xs muted">How your card looks in search</p>
            <CardPreview form={values} userId={userId} />
            <Button variant="outline" full style={{ marginTop: 12 }} onClick={() => setPreviewOpen(true)}>
              <Eye className="i" aria-hidden="true" />
              Preview Profile
            </Button>
          </aside>
        </Tabs.Root>
      </main>
      <PreviewDialog form={values} userId={userId} open={previewOpen} onOpenChange={setPreviewOpen} />
    </FormProvider>
  );
}

function PendingBanner() {
  return (
    <div className="ban" role="status">
      <span className="bi">
        <Hourglass className="i" aria-hidden="true" />
      </span>
      <div className="grow">
        <h2 style={{ fontSize: 17, letterSpacing: '-.01em' }}>Pending Approval</h2>
        <p>Your profile is with our team. Agencies can't see it yet; you'll be notified once it is activated.</p>
      </div>
    </div>
  );
}

/** Depth first, in the schema's order. */
function firstFault(errors: object, prefix = ''): { name: string; message: string } | undefined {
  for (const name of prefix ? Object.keys(errors) : Object.keys(profileSchema.shape)) {
    const fault = (errors as Record<string, unknown>)[name];
    if (!fault || typeof fault !== 'object') continue;
    const path = prefix ? `${prefix}.${name}` : name;
    if ('message' in fault && typeof fault.message === 'string') return { name: path, message: fault.message };
    const deeper = firstFault(fault, path);
    if (deeper) return deeper;
  }
  return undefined;
}
