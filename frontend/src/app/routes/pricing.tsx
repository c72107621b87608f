import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { PlanCard } from '@/features/pricing/components/plan-card';
import { AUDIENCES } from '@/features/pricing/plans';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** The selected tab is part of the URL, so that a link can point to one user type's packages. */
export default function PricingPage() {
  usePageTitle('Choose Your Perfect Package');
  const { roles } = useSession();
  const [params, setParams] = useSearchParams();
  const shown = AUDIENCES.find(({ key }) => key === params.get('for')) ?? AUDIENCES[0];
  const isMember = roles.includes(shown.role);
  const alone = shown.plans.length === 1;
  return (
    <main className="wrap">
      <Tabs.Root
        value={shown.key}
        onValueChange={(key) => setParams(key === AUDIENCES[0].key ? {} : { for: key }, { replace: true })}
      >
        <div className="ph pricing-head">
          <h1>Choose Your Perfect Package</h1>
          <p>Yearly packages in Malaysian ringgit.</p>
          <Tabs.List className="seg" aria-label="Packages for">
            {AUDIENCES.map(({ key, title }) => (
              <Tabs.Trigger key={key} value={key} className={key === shown.key ? 'on' : ''}>
                {title}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        </div>
        <Tabs.Content value={shown.key} className={alone ? 'pr one' : 'pr'}>
          {shown.plans.map((plan) => (
            <PlanCard
              key={plan.badge}
              plan={plan}
              alone={alone}
              to={isMember ? shown.dashboard : paths.signUp(shown.portal, plan.badge)}
            />
          ))}
        </Tabs.Content>
      </Tabs.Root>
    </main>
  );
}
