import { AuditLog } from '@/features/admin/components/audit-log';

export default function AuditPage() {
  return <AuditLog />;
}
