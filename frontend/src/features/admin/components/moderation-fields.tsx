import { BriefcaseBusiness, Building2, CalendarDays, User } from 'lucide-react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { cardVariants } from '@/components/ui/card';
import { choiceVariants } from '@/components/ui/choice';
import { Switch } from '@/components/ui/switch';
import { VerificationBadge } from '@/components/verification-badge';
import { FIELD_NAMES, type ModerationForm, progressOf } from '../moderation-form';
import { DateField } from './date-field';

const ACCESS = [
  ['access_influencer_page', User],
  ['access_agencies_page', Building2],
  ['access_events_page', CalendarDays],
  ['access_gigs_page', BriefcaseBusiness],
] as const;

const BADGE_CHOICES = [
  ['blue', 'Blue'],
  ['gold', 'Gold'],
  ['platinum', 'Platinum'],
] as const;

type Form = UseFormReturn<ModerationForm>;

/** The form's fields. Nothing is stored before Save Changes. */
export function ModerationFields({ form }: { form: Form }) {
  return (
    <>
      <PageAccess form={form} />
      <BadgeChoice form={form} />
      <Subscription form={form} />
    </>
  );
}

function PageAccess({ form }: { form: Form }) {
  const values = useWatch({ control: form.control });
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="access-title">
      <h2 className="text-[21px]" id="access-title">
        Page access
      </h2>
      <p className="mt-0.5 text-muted-foreground text-sm">The pages this account can open after signing in.</p>
      <div className="mt-3 lg:grid lg:grid-cols-2 lg:gap-x-10">
        {ACCESS.map(([field, Icon]) => (
          <div
            key={field}
            className="flex items-center gap-3.5 border-border not-first:border-t py-3.5 font-semibold lg:nth-2:border-t-0"
          >
            <span className="grid size-10 flex-none place-items-center rounded-[11px] bg-muted">
              <Icon aria-hidden="true" />
            </span>
            <label className="min-w-0 flex-1" htmlFor={field}>
              {FIELD_NAMES[field]}
            </label>
            <Switch
              id={field}
              checked={values[field] ?? false}
              onChange={(open) => form.setValue(field, open, { shouldDirty: true })}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

function BadgeChoice({ form }: { form: Form }) {
  const active = useWatch({ control: form.control, name: 'badge_type' });
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="badge-title">
      <h2 className="text-[21px]" id="badge-title">
        Badge
      </h2>
      <p className="mt-0.5 text-muted-foreground text-sm">
        {active === 'none' ? 'No badge: the account is not verified.' : 'Press the active badge again to remove it.'}
      </p>
      <div className="mt-4 grid grid-cols-3 gap-3">
        {BADGE_CHOICES.map(([badge, label]) => {
          const on = badge === active;
          return (
            <button
              key={badge}
              type="button"
              className={choiceVariants({
                look: 'tile',
                chosen: on,
                className: 'gap-1.5 px-1 pt-5 pb-4 leading-[1.3]',
              })}
              aria-pressed={on}
              aria-label={`${label} badge`}
              onClick={() => form.setValue('badge_type', on ? 'none' : badge, { shouldDirty: true })}
            >
              <VerificationBadge type={badge} size={40} className="mb-1" />
              <b className="text-[16px]">{label}</b>
              <span
                className={on ? 'font-semibold text-primary-soft-foreground text-xs' : 'text-muted-foreground text-xs'}
              >
                {on ? 'Active' : 'Assign'}
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}

function Subscription({ form }: { form: Form }) {
  const start = useWatch({ control: form.control, name: 'start' });
  const end = useWatch({ control: form.control, name: 'end' });
  const progress = progressOf(start, end, new Date());
  const set = (field: 'start' | 'end') => (day: string) =>
    form.setValue(field, day, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="subscription-title">
      <h2 className="text-[21px]" id="subscription-title">
        Subscription
      </h2>
      <div className="mt-3.5 grid gap-5 *:min-w-0 sm:grid-cols-2">
        <DateField label="Start date" value={start} error={undefined} onChange={set('start')} />
        <DateField label="End date" value={end} error={form.formState.errors.end?.message} onChange={set('end')} />
      </div>
      {progress ? <SubscriptionProgress {...progress} /> : null}
    </section>
  );
}

const days = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'day' : 'days'}`;

function SubscriptionProgress({ used, left }: { used: number; left: number }) {
  return (
    <div className="mt-4.5">
      <progress
        className="block h-2.5 w-full appearance-none overflow-hidden rounded-[9px] bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:rounded-[9px] [&::-webkit-progress-value]:bg-primary"
        max={used + left}
        value={used}
        aria-label="Subscription used"
      />
      <div className="mt-2 flex items-center justify-between gap-3 text-muted-foreground text-xs tabular-nums max-[360px]:flex-wrap">
        <span>{days(used)} used</span>
        <span>{days(left)} left</span>
      </div>
    </div>
  );
}
