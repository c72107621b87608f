import { useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';

/** Goes home first: otherwise a members-only page would redirect to the sign-in page when the session ends. */
export function useLogout() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async () => {
    navigate(paths.home);
    await signOut();
    toast.success('Logged out successfully');
  };
}
