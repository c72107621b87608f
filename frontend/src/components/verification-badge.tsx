import { clsx } from 'clsx';

const STAR = 'M12 1.6L15 4.76H19.24V9L22.4 12L19.24 15V19.24H15L12 22.4L9 19.24H4.76V15L1.6 12L4.76 9V4.76H9Z';
const TICK = 'M8.2 12.3L10.9 14.9L15.9 9.6';
const SPARK = 'M12 7.4L13.3 10.7L16.6 12L13.3 13.3L12 16.6L10.7 13.3L7.4 12L10.7 10.7Z';

interface Props {
  type: string | null | undefined;
  size?: number;
  className?: string;
}

/** The eight-point star. Unknown types render as blue; `none` renders nothing. */
export function VerificationBadge({ type, size = 20, className }: Props) {
  if (!type || type === 'none') return null;
  const kind = type === 'gold' || type === 'platinum' ? type : 'blue';
  const ink = `var(--badge-${kind}-ink)`;
  return (
    <svg
      className={clsx('inline-block flex-none align-[-3px]', className)}
      style={{ width: size, height: size }}
      viewBox="0 0 24 24"
      role="img"
      aria-label={`${kind} badge`}
    >
      <path
        d={STAR}
        fill={`var(--badge-${kind})`}
        stroke={kind === 'blue' ? 'none' : `var(--badge-${kind}-line)`}
        strokeWidth={1.6}
        strokeLinejoin="round"
      />
      {kind === 'platinum' ? (
        <path d={SPARK} fill={ink} />
      ) : (
        <path d={TICK} fill="none" stroke={ink} strokeWidth={2.3} strokeLinecap="round" strokeLinejoin="round" />
      )}
    </svg>
  );
}
