import { BackupsPage as Backups } from '@/features/admin/components/backups-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function BackupsPage() {
  usePageTitle('Backups');
  return <Backups />;
}
