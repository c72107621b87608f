import { Send } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

const MOST = 10;

/** On the favorites: one brief to the newest ten. */
export function BriefToAll({ ids }: { ids: string[] }) {
  if (ids.length < 2) return null;
  return (
    <Link className={buttonVariants({ variant: 'accent' })} to={paths.enquireAll(ids.slice(0, MOST))}>
      <Send aria-hidden="true" />
      {ids.length > MOST ? `Send one brief to the newest ${MOST}` : 'Send one brief to all'}
    </Link>
  );
}
