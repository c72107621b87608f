import { Link } from 'react-router';
import { paths } from '@/lib/paths';

/** The brand mark: two half-discs that read as an S. The dark one follows the theme. */
export function Mark({ onPanel = false }: { onPanel?: boolean }) {
  return (
    <svg className="h-9 w-7.5" viewBox="0 0 40 48" aria-hidden="true">
      <path d="M20 0A14 14 0 0 0 20 28Z" fill={onPanel ? '#BFE3CF' : 'var(--primary)'} />
      <path d="M20 20A14 14 0 0 1 20 48Z" fill="#FF7A66" />
    </svg>
  );
}

export function Brand({ onPanel = false }: { onPanel?: boolean }) {
  return (
    <Link
      className="inline-flex items-center gap-2.5 font-bold font-display text-[24px] leading-none tracking-[-0.035em] max-[360px]:text-[21px]"
      to={paths.home}
      aria-label="Serasi home"
    >
      <Mark onPanel={onPanel} />
      <span>Serasi</span>
    </Link>
  );
}
