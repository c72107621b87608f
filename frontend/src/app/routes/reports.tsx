import { ReportsPage as Reports } from '@/features/admin/components/reports-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function ReportsPage() {
  usePageTitle('Reports');
  return <Reports />;
}
