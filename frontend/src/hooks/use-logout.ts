import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { paths } from '@/lib/paths';

/** Home first: a page for members only would ask to sign in again, in the moment the session ends. */
export function useLogout() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async () => {
    navigate(paths.home);
    await signOut();
    toast.success('Logged out successfully');
  };
}
