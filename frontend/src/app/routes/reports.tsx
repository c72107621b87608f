import { ReportsPage as Reports } from '@/features/admin/components/reports-page';

export default function ReportsPage() {
  return <Reports />;
}
