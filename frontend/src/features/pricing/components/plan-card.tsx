import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { VerificationBadge } from '@/components/verification-badge';
import { type Plan, shownPrice } from '@/lib/plans';

const card = cva('relative p-7', {
  variants: {
    look: {
      plain: 'lg:p-9',
      popular: 'lg:-my-6 lg:px-10 lg:py-15',
      alone: 'lg:grid lg:grid-cols-2 lg:items-center lg:gap-x-12 lg:p-9',
    },
  },
});

const feature = cva('flex items-start gap-3 py-2.75 not-first:border-t last:pb-0', {
  variants: {
    popular: { true: 'not-first:border-white/16', false: 'not-first:border-border' },
    included: { true: '', false: '' },
  },
  compoundVariants: [
    { included: false, popular: false, className: 'text-muted-foreground' },
    { included: false, popular: true, className: 'text-panel-muted' },
  ],
});

const tick = cva('mt-px grid size-5.5 flex-none place-items-center rounded-full', {
  variants: { popular: { true: '', false: '' }, included: { true: '', false: '' } },
  compoundVariants: [
    { included: true, popular: false, className: 'bg-primary-soft text-primary-soft-foreground' },
    { included: false, popular: false, className: 'bg-muted text-muted-foreground' },
    { included: true, popular: true, className: 'bg-kunyit text-ink' },
    { included: false, popular: true, className: 'bg-white/12 text-panel-muted' },
  ],
});

/** `alone`: the only plan of its user type, laid out wide. */
export function PlanCard({ plan, to, alone }: { plan: Plan; to: string; alone: boolean }) {
  const popular = plan.badge === 'gold';
  const name = useId();
  const quiet = popular ? 'text-panel-muted' : 'text-muted-foreground';
  return (
    <article
      className={cardVariants({
        look: popular ? 'panel' : 'plain',
        className: card({ look: alone ? 'alone' : popular ? 'popular' : 'plain' }),
      })}
      aria-labelledby={name}
    >
      <div>
        {popular ? (
          <Chip tone="kunyit" className="absolute top-5 right-5">
            Most Popular
          </Chip>
        ) : null}
        <div className="flex items-center gap-3.5">
          <VerificationBadge type={plan.badge} size={40} />
          <h2 id={name} className="text-[28px]">
            {plan.name}
          </h2>
        </div>
        <p className={clsx('mt-2.5', quiet, !alone && 'lg:min-h-12')}>{plan.pitch}</p>
        <p className="mt-4.5 mb-5.5 tabular-nums">
          <span className="align-[22px] font-bold font-display text-[22px] leading-none">RM</span>{' '}
          <b className="font-bold font-display text-[64px] leading-none tracking-[-0.04em]">{shownPrice(plan.price)}</b>
          <span className={quiet}> / year</span>
        </p>
        <Link
          className={buttonVariants({
            variant: alone ? 'primary' : popular ? 'coral' : 'outline',
            size: 'large',
            full: true,
          })}
          to={to}
          aria-describedby={name}
        >
          Get Started
        </Link>
      </div>
      <ul className={alone ? 'mt-4.5 lg:mt-0' : 'mt-4.5'}>
        {plan.features.map(({ text, included }) => (
          <li key={text} className={feature({ popular, included })}>
            <span className={tick({ popular, included })}>
              {included ? (
                <Check className="size-4" aria-hidden="true" />
              ) : (
                <Minus className="size-4" aria-hidden="true" />
              )}
            </span>
            <span>
              {included ? null : <span className="sr-only">Not included: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}
