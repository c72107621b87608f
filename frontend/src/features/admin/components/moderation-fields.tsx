import { BriefcaseBusiness, Building2, CalendarDays, User } from 'lucide-react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
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
    <section className="card pad" aria-labelledby="access-title">
      <h2 id="access-title">Page access</h2>
      <p className="sm muted">What this account can open after signing in.</p>
      <div className="flags">
        {ACCESS.map(([field, Icon]) => (
          <div key={field} className="row flag">
            <span className="flag-icon">
              <Icon className="i" aria-hidden="true" />
            </span>
            <label className="grow" htmlFor={field}>
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
    <section className="card pad" aria-labelledby="badge-title">
      <h2 id="badge-title">Badge</h2>
      <p className="sm muted">
        {active === 'none' ? 'No badge: the account is not verified.' : 'Press the active badge again to remove it.'}
      </p>
      <div className="badge-choices">
        {BADGE_CHOICES.map(([badge, label]) => {
          const on = badge === active;
          return (
            <button
              key={badge}
              type="button"
              className={on ? 'badge-choice on' : 'badge-choice'}
              aria-pressed={on}
              aria-label={`${label} badge`}
              onClick={() => form.setValue('badge_type', on ? 'none' : badge, { shouldDirty: true })}
            >
              <VerificationBadge type={badge} size={40} />
              <b>{label}</b>
              <span className="xs muted">{on ? 'Active' : 'Assign'}</span>
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
    <section className="card pad" aria-labelledby="subscription-title">
      <h2 id="subscription-title">Subscription</h2>
      <div className="cols2 subscription-days">
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
    <div className="subscription-progress">
      <progress max={used + left} value={used} aria-label="Subscription used" />
      <div className="row between xs muted num">
        <span>{days(used)} used</span>
        <span>{days(left)} left</span>
      </div>
    </div>
  );
}
