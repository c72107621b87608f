import { UnsubscribePage as Unsubscribe } from '@/features/notifications/components/unsubscribe-page';

export default function UnsubscribePage() {
  return <Unsubscribe />;
}
