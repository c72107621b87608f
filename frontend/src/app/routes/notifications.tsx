import { useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { SignInFirst } from '@/components/signed-in';
import { DeliverySettings } from '@/features/notifications/components/delivery-settings';
import { NotificationList } from '@/features/notifications/components/notification-list';

/** The account's notifications, and the choice of which are mailed. */
export default function NotificationsPage() {
  const { status } = useSession();
  if (status === 'loading') return <Loader label="Loading notifications..." />;
  if (status === 'out') return <SignInFirst to="see your notifications" />;
  return (
    <main className="wrap max-w-190 pb-10">
      <h1 className="pt-10 pb-4 text-[34px] leading-[1.08] lg:text-[44px]">Notifications</h1>
      <NotificationList />
      <DeliverySettings />
    </main>
  );
}
