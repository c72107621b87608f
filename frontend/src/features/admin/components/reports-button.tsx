import { useQuery } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { Count } from '@/components/ui/count';
import { paths } from '@/lib/paths';
import { LIVE } from '../live';
import { reportCountsQuery } from '../report-queries';

/** Links to the reports. The number counts reports that wait for a decision. */
export function ReportsButton() {
  const counts = useQuery({ ...reportCountsQuery, ...LIVE }).data;
  const waiting = counts ? counts.open + counts.taken : 0;
  return (
    <Link className={buttonVariants({ variant: 'outline' })} to={paths.reports}>
      <Flag aria-hidden="true" />
      Reports
      {waiting > 0 ? <Count>{waiting.toLocaleString('en')}</Count> : null}
    </Link>
  );
}
