import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LOGINS } from '@/components/layout/logins';
import { buttonVariants } from '@/components/ui/button';
import { DeliverySettings } from '@/features/notifications/components/delivery-settings';
import { NotificationList } from '@/features/notifications/components/notification-list';
import { usePageTitle } from '@/hooks/use-page-title';

/** Everything that happened to the account, and what of it is mailed. */
export default function NotificationsPage() {
  usePageTitle('Notifications');
  const { status } = useSession();
  if (status === 'loading') return <Loader label="Loading notifications..." />;
  if (status === 'out') {
    return (
      <main className="wrap pt-10">
        <EmptyState level="h1" title="Sign in to see your notifications">
          {LOGINS.map(({ name, to }) => (
            <Link key={name} className={buttonVariants({ variant: 'outline' })} to={to}>
              {name}
            </Link>
          ))}
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="wrap max-w-190 pb-10">
      <h1 className="pt-10 pb-4 text-[34px] leading-[1.08] lg:text-[44px]">Notifications</h1>
      <NotificationList />
      <DeliverySettings />
    </main>
  );
}
