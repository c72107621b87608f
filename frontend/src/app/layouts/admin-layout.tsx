import { AdminArea } from '@/features/admin/components/admin-area';
import '@/styles/admin.css';

export default function AdminLayout() {
  return <AdminArea />;
}
