import { BackupsPage as Backups } from '@/features/admin/components/backups-page';

export default function BackupsPage() {
  return <Backups />;
}
