/** Shown instead of a favorite whose profile is no longer available. */
export function UnavailableCard({ onRemove }: { onRemove: () => void }) {
  return (
    <article className="ic gone">
      <div className="bd">
        <svg viewBox="0 0 100 100" width="72" height="72" aria-hidden="true">
          <circle cx="50" cy="50" r="50" fill="var(--muted)" />
          <path d="M45 22A24 24 0 0 0 45 70Z" fill="var(--primary)" opacity=".5" />
          <path d="M55 32A24 24 0 0 1 55 80Z" fill="#FF7A66" opacity=".6" />
        </svg>
        <h3>No longer listed</h3>
        <p className="sm muted">This profile was removed, or is not public right now.</p>
        <button type="button" className="btn outline s" onClick={onRemove}>
          Remove
        </button>
      </div>
    </article>
  );
}
