import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** The way back from the superadmins' pages that no tab leads to. */
export function BackToPanel() {
  return (
    <Link
      className={buttonVariants({ variant: 'ghost', size: 'small', className: 'mt-5 -ml-3' })}
      to={paths.superadmin}
    >
      <ArrowLeft aria-hidden="true" />
      Super admin panel
    </Link>
  );
}
