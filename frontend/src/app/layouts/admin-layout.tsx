import { AdminArea } from '@/features/admin/components/admin-area';

export default function AdminLayout() {
  return <AdminArea />;
}
