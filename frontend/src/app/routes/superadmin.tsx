import { SuperadminPanel } from '@/features/admin/components/superadmin-panel';

export default function SuperadminPage() {
  return <SuperadminPanel />;
}
