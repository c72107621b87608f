import { Send } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { MOST_RECIPIENTS } from '../queries';

/** On the favorites page: sends one brief to the newest ten. */
export function BriefToAll({ ids }: { ids: string[] }) {
  if (ids.length < 2) return null;
  return (
    <Link className={buttonVariants()} to={paths.enquireAll(ids.slice(0, MOST_RECIPIENTS))}>
      <Send aria-hidden="true" />
      {ids.length > MOST_RECIPIENTS ? `Send one brief to the newest ${MOST_RECIPIENTS}` : 'Send one brief to all'}
    </Link>
  );
}
