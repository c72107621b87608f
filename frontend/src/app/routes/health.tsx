import { HealthPage as Health } from '@/features/admin/components/health-page';

export default function HealthPage() {
  return <Health />;
}
