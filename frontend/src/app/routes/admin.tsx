import { AdminDashboard } from '@/features/admin/components/admin-dashboard';
import { usePageTitle } from '@/hooks/use-page-title';

export default function AdminPage() {
  usePageTitle('Admin dashboard');
  return <AdminDashboard />;
}
