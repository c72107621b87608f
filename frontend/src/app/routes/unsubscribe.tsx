import { UnsubscribePage as Unsubscribe } from '@/features/notifications/components/unsubscribe-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function UnsubscribePage() {
  usePageTitle('Unsubscribe');
  return <Unsubscribe />;
}
