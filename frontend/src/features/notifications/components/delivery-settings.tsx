import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { LoadFailure } from '@/components/load-failure';
import { cardVariants } from '@/components/ui/card';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { DELIVERIES, type Delivery, groupsFor } from '../kinds';
import { setDelivery } from '../mutations';
import { settingsQuery } from '../queries';

/** Which notifications are mailed, and when. Each choice is saved immediately. */
export function DeliverySettings() {
  const { account, roles } = useSession();
  const client = useQueryClient();
  const query = settingsQuery(account?.id ?? '');
  const settings = useQuery(query);
  const save = useMutation({
    // One after the other, so that the last choice wins.
    scope: { id: 'notification-settings' },
    mutationFn: ({ kind, delivery }: { kind: string; delivery: Delivery }) => setDelivery([kind], delivery),
    onMutate: async ({ kind, delivery }) => {
      await client.cancelQueries({ queryKey: query.queryKey });
      client.setQueryData(query.queryKey, (now) => ({ ...now, [kind]: delivery }));
    },
    onError: (error) => {
      toast.error('Your choice was not saved', { description: reasonOf(error) });
      void client.invalidateQueries({ queryKey: query.queryKey });
    },
  });
  return (
    <section id="settings" tabIndex={-1} className="mt-12 scroll-mt-24 outline-none" aria-labelledby="settings-title">
      <h2 id="settings-title" className="text-[26px]">
        E-mails
      </h2>
      <p className="mt-1.5 mb-5 max-w-[64ch] text-muted-foreground">
        Choose which notifications you also get by e-mail. We always send our team’s decisions and e-mails about your
        account.
      </p>
      {settings.data ? (
        <div className="grid gap-4">
          {groupsFor(roles).map(({ title, choices }) => (
            <fieldset key={title} className={cardVariants({ padded: true })}>
              <legend className="float-left mb-3 w-full font-bold font-display text-[18px]">{title}</legend>
              <div className="clear-both grid gap-3.5">
                {choices.map(({ kind, label }) => (
                  <div key={kind} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[1fr_200px]">
                    <label htmlFor={kind} className="text-[16px]">
                      {label}
                    </label>
                    <Select
                      id={kind}
                      value={settings.data[kind] ?? 'now'}
                      options={[...DELIVERIES]}
                      onChange={(delivery) => save.mutate({ kind, delivery: delivery as Delivery })}
                    />
                  </div>
                ))}
              </div>
            </fieldset>
          ))}
        </div>
      ) : settings.isError ? (
        <LoadFailure
          inside
          title="Failed to load your choices"
          error={settings.error}
          retry={() => void settings.refetch()}
        />
      ) : (
        <div role="status" aria-label="Loading your choices...">
          <Skeleton className="h-60" />
        </div>
      )}
    </section>
  );
}
