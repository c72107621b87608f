import { AdminLoginPage } from '@/features/auth/components/admin-login-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function AdminLogin() {
  usePageTitle('Admin login');
  return <AdminLoginPage />;
}
