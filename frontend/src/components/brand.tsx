import { Link } from 'react-router';
import { paths } from '@/lib/paths';

/** The brand mark: two half-discs that read as an S. The dark one follows the theme. */
export function Mark({ onPanel = false }: { onPanel?: boolean }) {
  return (
    <svg viewBox="0 0 40 48" aria-hidden="true">
      <path d="M20 0A14 14 0 0 0 20 28Z" fill={onPanel ? '#BFE3CF' : 'var(--primary)'} />
      <path d="M20 20A14 14 0 0 1 20 48Z" fill="#FF7A66" />
    </svg>
  );
}

export function Brand({ onPanel = false }: { onPanel?: boolean }) {
  return (
    <Link className="brand" to={paths.home} aria-label="Serasi home">
      <Mark onPanel={onPanel} />
      <span>Serasi</span>
    </Link>
  );
}
