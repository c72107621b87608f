import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, ShieldAlert, Smartphone, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '@/app/session';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { dayOf } from '@/lib/dates';
import { type App, SECURITY_KEY, type SecurityState, securityQuery } from '../factor-queries';
import { AddAppDialog } from './add-app-dialog';
import { NewCodesDialog } from './new-codes-dialog';
import { RecoveryCodesDialog } from './recovery-codes-dialog';
import { RemoveAppDialog } from './remove-app-dialog';

type Opened =
  | { dialog: 'add' }
  | { dialog: 'remove'; app: App }
  | { dialog: 'new codes' }
  | { dialog: 'codes'; codes: string[] };

/** The second factors of the account. */
export function SecurityPage({ userId }: { userId: string }) {
  const client = useQueryClient();
  const { staffAccess, refresh } = useSession();
  const state = useQuery(securityQuery(userId));
  const [opened, setOpened] = useState<Opened>();

  async function changed() {
    await client.invalidateQueries({ queryKey: SECURITY_KEY });
    // What a staff account may do depends on its factors.
    await refresh();
  }
  return (
    <main className="wrap max-w-190 pb-10">
      <h1 className="pt-10 pb-4 text-[34px] leading-[1.08] lg:text-[44px]">Security</h1>
      {staffAccess === 'enroll' ? (
        <Banner icon={ShieldAlert} className="mb-6" title="Admins need a second factor" role="status">
          <p>Add an authenticator app to open the admin pages.</p>
        </Banner>
      ) : null}
      <h2 className="text-[26px]">Second factor</h2>
      <p className="mt-1.5 mb-5 max-w-[64ch] text-muted-foreground">
        With an authenticator app on your phone, nobody can sign in with your password alone.
      </p>
      {state.data ? (
        <Factors state={state.data} open={setOpened} />
      ) : state.isError ? (
        <LoadFailure
          inside
          title="Failed to load your security settings"
          error={state.error}
          retry={() => void state.refetch()}
        />
      ) : (
        <div role="status" aria-label="Loading your security settings...">
          <Skeleton className="h-40" />
        </div>
      )}
      {opened?.dialog === 'add' ? (
        <AddAppDialog
          taken={state.data?.apps.map(({ name }) => name) ?? []}
          onClose={() => setOpened(undefined)}
          onAdded={(codes) => {
            setOpened(codes ? { dialog: 'codes', codes } : undefined);
            void changed();
          }}
        />
      ) : null}
      {opened?.dialog === 'remove' ? (
        <RemoveAppDialog
          app={opened.app}
          isLast={state.data?.apps.length === 1}
          onClose={() => setOpened(undefined)}
          onRemoved={() => {
            setOpened(undefined);
            void changed();
          }}
        />
      ) : null}
      {opened?.dialog === 'new codes' ? (
        <NewCodesDialog
          onClose={() => setOpened(undefined)}
          onMade={(codes) => {
            setOpened({ dialog: 'codes', codes });
            void changed();
          }}
        />
      ) : null}
      {opened?.dialog === 'codes' ? (
        <RecoveryCodesDialog codes={opened.codes} onClose={() => setOpened(undefined)} />
      ) : null}
    </main>
  );
}

function Factors({ state, open }: { state: SecurityState; open: (opened: Opened) => void }) {
  const { apps, codesLeft } = state;
  if (apps.length === 0) {
    return (
      <div className={cardVariants()}>
        <EmptyState title="No second factor yet" text="It takes a minute: scan a QR code and enter six digits.">
          <Button onClick={() => open({ dialog: 'add' })}>
            <Smartphone aria-hidden="true" />
            Add an authenticator app
          </Button>
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <ul className="grid gap-3" aria-label="Authenticator apps">
        {apps.map((app) => (
          <li key={app.id} className={cardVariants({ padded: true, className: 'flex flex-wrap items-center gap-3' })}>
            <Smartphone className="size-5.5 flex-none text-primary" aria-hidden="true" />
            <div className="wrap-anywhere min-w-0 flex-1">
              <b className="block font-semibold">{app.name}</b>
              <span className="text-muted-foreground text-sm">Added {dayOf(app.addedAt)}</span>
            </div>
            <Button
              variant="dangerghost"
              size="small"
              aria-label={`Remove ${app.name}`}
              onClick={() => open({ dialog: 'remove', app })}
            >
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="outline" className="mt-4" onClick={() => open({ dialog: 'add' })}>
        <Plus aria-hidden="true" />
        Add another app
      </Button>
      <h2 className="mt-10 text-[26px]">Recovery codes</h2>
      <p className="mt-1.5 mb-4 max-w-[64ch] text-muted-foreground">
        Each code works once, in place of your app. Keep them where you find them without your phone.
      </p>
      <p className="mb-4 font-semibold" role="status">
        {codesLeft === 0 ? 'You have no recovery codes.' : `${codesLeft} ${codesLeft === 1 ? 'code' : 'codes'} left.`}
      </p>
      <Button variant={codesLeft < 4 ? 'primary' : 'outline'} onClick={() => open({ dialog: 'new codes' })}>
        <KeyRound aria-hidden="true" />
        Create new codes
      </Button>
    </>
  );
}
