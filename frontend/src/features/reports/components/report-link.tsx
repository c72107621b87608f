import { Flag } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import type { ReportKind } from '../kinds';

/** Opens the form that reports a profile, gig, enquiry, application or review to the admins. */
export function ReportLink(props: {
  kind: ReportKind;
  id: string;
  /** Named for screen readers, because a list has several of these links. */
  name: string;
  /** Only the icon, for cards. */
  compact?: boolean;
  className?: string;
}) {
  const { kind, id, name, compact, className } = props;
  return (
    <Link
      className={buttonVariants({
        variant: 'ghost',
        size: compact ? 'normal' : 'small',
        className: ['flex-none text-muted-foreground print:hidden', compact && 'w-11 px-0', className],
      })}
      to={paths.report(kind, id)}
      title={compact ? 'Report' : undefined}
    >
      <Flag aria-hidden="true" />
      {compact ? <span className="sr-only">Report {name}</span> : 'Report'}
      {compact ? null : <span className="sr-only">{name}</span>}
    </Link>
  );
}
