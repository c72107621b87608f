import { Button } from '@/components/ui/button';
import { mediaTitle } from '@/components/ui/media-card';

/** Shown instead of a favorite whose profile is no longer available. */
export function UnavailableCard({ onRemove }: { onRemove: () => void }) {
  return (
    <article className="flex flex-col rounded-xl border-[1.5px] border-input border-dashed p-2">
      <div className="flex flex-1 flex-col items-center justify-center gap-1.5 px-5 py-7 text-center">
        <svg className="mb-2" viewBox="0 0 100 100" width="72" height="72" aria-hidden="true">
          <circle cx="50" cy="50" r="50" fill="var(--muted)" />
          <path d="M45 22A24 24 0 0 0 45 70Z" fill="var(--primary)" opacity=".5" />
          <path d="M55 32A24 24 0 0 1 55 80Z" fill="#FF7A66" opacity=".6" />
        </svg>
        <h3 className={mediaTitle()}>No longer listed</h3>
        <p className="text-muted-foreground text-sm">This profile was removed, or is not public right now.</p>
        <Button variant="outline" size="small" className="mt-2.5" onClick={onRemove}>
          Remove
        </Button>
      </div>
    </article>
  );
}
