import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { PlanCard } from '@/features/pricing/components/plan-card';
import { paths } from '@/lib/paths';
import { AUDIENCES } from '@/lib/plans';

/** The selected tab is part of the URL, so that a link can point to one user type's packages. */
export default function PricingPage() {
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
        <div className="pt-14 pb-7 text-center">
          <h1 className="text-[clamp(36px,5vw,56px)] leading-[1.08]">Choose Your Perfect Package</h1>
          <p className="mt-2 text-[18px] text-muted-foreground">Yearly packages in Malaysian ringgit.</p>
          <Tabs.List className={tabListVariants({ look: 'segment', className: 'mt-6.5' })} aria-label="Packages for">
            {AUDIENCES.map(({ key, title }) => (
              <Tabs.Trigger key={key} value={key} className={tabVariants({ look: 'segment' })}>
                {title}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        </div>
        <Tabs.Content
          value={shown.key}
          className={
            alone
              ? 'mx-auto mt-3 grid max-w-290 gap-5 *:min-w-0 lg:mt-9 lg:max-w-190'
              : 'mx-auto mt-3 grid max-w-290 gap-5 *:min-w-0 lg:mt-9 lg:grid-cols-[1fr_1.06fr_1fr]'
          }
        >
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
