import { SuperadminPanel } from '@/features/admin/components/superadmin-panel';
import { usePageTitle } from '@/hooks/use-page-title';

export default function SuperadminPage() {
  usePageTitle('Super Admin');
  return <SuperadminPanel />;
}
