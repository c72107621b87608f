import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { VerificationBadge } from '@/components/verification-badge';
import { type Plan, shownPrice } from '../plans';

/** `alone`: the only plan of its user type, laid out wide. */
export function PlanCard({ plan, to, alone }: { plan: Plan; to: string; alone: boolean }) {
  const popular = plan.badge === 'gold';
  const name = useId();
  return (
    <article className={clsx('card plan', popular && 'on-panel hot')} aria-labelledby={name}>
      <div>
        {popular ? <span className="chip plan-popular">Most Popular</span> : null}
        <div className="row plan-name">
          <VerificationBadge type={plan.badge} size={40} />
          <h2 id={name}>{plan.name}</h2>
        </div>
        <p className="muted plan-pitch">{plan.pitch}</p>
        <p className="num plan-price">
          <span className="plan-currency">RM</span> <b>{shownPrice(plan.price)}</b>
          <span className="muted"> / year</span>
        </p>
        <Link
          className={clsx('btn full lg', alone ? 'primary' : popular ? 'accent' : 'outline')}
          to={to}
          aria-describedby={name}
        >
          Get Started
        </Link>
      </div>
      <ul className="plan-features">
        {plan.features.map(({ text, included }) => (
          <li key={text} className={included ? '' : 'no'}>
            <span className="tick">
              {included ? (
                <Check className="i i16" aria-hidden="true" />
              ) : (
                <Minus className="i i16" aria-hidden="true" />
              )}
            </span>
            <span>
              {included ? null : <span className="sr">Not included: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}
