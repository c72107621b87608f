import { HealthPage as Health } from '@/features/admin/components/health-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function HealthPage() {
  usePageTitle('System health');
  return <Health />;
}
