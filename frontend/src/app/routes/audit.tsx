import { AuditLog } from '@/features/admin/components/audit-log';
import { usePageTitle } from '@/hooks/use-page-title';

export default function AuditPage() {
  usePageTitle('Audit log');
  return <AuditLog />;
}
