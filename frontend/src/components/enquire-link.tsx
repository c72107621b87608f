import { Send } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** Opens the form that writes to an influencer. */
export function EnquireLink({ id, className }: { id: string; className?: string }) {
  return (
    <Link className={buttonVariants({ variant: 'accent', className })} to={paths.enquire(id)}>
      <Send aria-hidden="true" />
      Enquire
    </Link>
  );
}
