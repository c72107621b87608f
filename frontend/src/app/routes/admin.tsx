import { House, LogOut, ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { Brand } from '@/components/brand';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { AdminDashboard } from '@/features/admin/components/admin-dashboard';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** For admins and superadmins. The guard spares others a page without data; the database decides. */
export default function AdminPage() {
  usePageTitle('Admin dashboard');
  const { status, roles, failed, signOut, refresh } = useSession();
  const navigate = useNavigate();
  const isSuperadmin = roles.includes('superadmin');
  const denied = status === 'in' && !failed && !isSuperadmin && !roles.includes('admin');
  useEffect(() => {
    if (denied) toast.error('Access denied', { description: 'You need admin privileges' });
  }, [denied]);

  if (status === 'loading') return <Loader label="Loading..." />;
  if (failed) return <LoadFailure title="Error loading data" error={undefined} retry={() => void refresh()} />;
  if (status === 'out' || denied) return <Navigate to={paths.adminLogin} replace />;
  async function logout() {
    await signOut();
    toast.success('Logged out successfully');
    navigate(paths.home);
  }
  return (
    <>
      <header className="dh">
        <div className="wrap">
          <Brand />
          <span className="grow" />
          {isSuperadmin ? (
            <Link className="btn soft s" to={paths.superadmin}>
              <ShieldCheck className="i" aria-hidden="true" />
              Super Admin
            </Link>
          ) : null}
          <Link className="btn ghost s" to={paths.home} aria-label="Main Page">
            <House className="i" aria-hidden="true" />
            <span className="m-hide">Main Page</span>
          </Link>
          <button type="button" className="btn ghost s" aria-label="Logout" onClick={() => void logout()}>
            <LogOut className="i" aria-hidden="true" />
            <span className="m-hide">Logout</span>
          </button>
        </div>
      </header>
      <AdminDashboard />
    </>
  );
}
