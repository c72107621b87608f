import type { ReactNode } from 'react';

/** An empty list: says why it is empty and offers one next step. The drawing shows the two halves slipped apart. */
export function EmptyState(props: { title: string; text?: string; level?: 'h1' | 'h2'; children?: ReactNode }) {
  const Title = props.level ?? 'h2';
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <svg className="mb-2 size-30" viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="60" fill="var(--muted)" />
        <path d="M56 22A28 28 0 0 0 56 78Z" fill="var(--primary)" />
        <path d="M66 44A28 28 0 0 1 66 100Z" fill="var(--coral)" />
      </svg>
      <Title className={Title === 'h1' ? 'text-[34px]' : 'text-[20px]'}>{props.title}</Title>
      {props.text ? <p className="max-w-[38ch] text-muted-foreground">{props.text}</p> : null}
      {props.children ? (
        <div className="mt-3 flex flex-wrap items-center justify-center gap-3">{props.children}</div>
      ) : null}
    </div>
  );
}

/** A loading indicator: the two halves pass each other. */
export function Loader({ label }: { label: string }) {
  return (
    <div data-slot="loader" className="grid justify-items-center gap-3 px-6 py-18 text-muted-foreground" role="status">
      <svg className="h-12 w-10 overflow-visible" viewBox="0 0 40 48" aria-hidden="true">
        <path className="animate-pass-up" d="M20 0A14 14 0 0 0 20 28Z" fill="var(--primary)" />
        <path className="animate-pass-down" d="M20 20A14 14 0 0 1 20 48Z" fill="var(--coral)" />
      </svg>
      <span>{label}</span>
    </div>
  );
}
