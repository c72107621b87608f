import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** The link back from superadmins' pages that have no tab. */
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
