// Follower counts are stored as typed text, with a generated number beside it, which these functions format.

const UNITS = [
  [1_000_000, 'M'],
  [1_000, 'K'],
] as const;

/** Formats 600_400 as '600K' and 2_500_000 as '2.5M'. */
export function shortCount(count: number): string {
  for (const [size, letter] of UNITS) {
    if (count >= size) {
      const value = count / size;
      const digits = value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value);
      return `${digits}${letter}`;
    }
  }
  return String(Math.floor(count));
}

/** Upper bounds (exclusive) and their labels, smallest first. */
const AUDIENCES = [
  [500, '<500'],
  [5_000, '1K+'],
  [10_000, '5K+'],
  [50_000, '10K+'],
  [100_000, '50K+'],
  [500_000, '100K+'],
  [1_000_000, '500K+'],
  [5_000_000, '1M+'],
  [10_000_000, '5M+'],
] as const;

/** The audience size as one of ten labels. In text, only digits count. */
export function audienceLabel(audience: string | number | null | undefined): string {
  const count = typeof audience === 'number' ? audience : Number((audience ?? '').replace(/\D/g, ''));
  return AUDIENCES.find(([below]) => count < below)?.[1] ?? '10M+';
}
