import { clsx } from 'clsx';
import { Picture } from '@/components/picture';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { comparedFields, type SnapshotField } from '../reports';

/** The subject as it was reported, beside how it is now. */
export function ReportCompare({ snapshot, now, at }: { snapshot: object; now: object | null; at: string }) {
  const fields = comparedFields(snapshot, now);
  return (
    <section className={cardVariants({ padded: true })} aria-labelledby="compared">
      <h2 className="text-[20px]" id="compared">
        As reported, and now
      </h2>
      {now ? null : (
        <p className="mt-1.5 text-[15px] text-muted-foreground">It was deleted. This is how it was on {at}.</p>
      )}
      <div className="mt-3.5 grid gap-4">
        {fields.map((field) => (
          <Compared key={field.name} field={field} isGone={now === null} />
        ))}
      </div>
    </section>
  );
}

/** Both texts only where they differ. */
function Compared({ field, isGone }: { field: SnapshotField; isGone: boolean }) {
  const isChanged = !isGone && field.before !== field.now;
  return (
    <div className="border-border border-t pt-3">
      <h3 className="flex flex-wrap items-center gap-2 font-semibold text-muted-foreground text-sm">
        {field.label}
        {isChanged ? (
          <Chip tone="amber" size="small">
            Changed since
          </Chip>
        ) : null}
      </h3>
      <div className={clsx('mt-1 grid gap-3', isChanged && 'sm:grid-cols-2')}>
        <Value label={isChanged ? 'As reported' : undefined} field={field.name} text={field.before} />
        {isChanged ? <Value label="Now" field={field.name} text={field.now} /> : null}
      </div>
    </div>
  );
}

function Value({ label, field, text }: { label: string | undefined; field: string; text: string }) {
  return (
    <div className={clsx('min-w-0', label && 'rounded-md bg-muted px-3.5 py-2.5')}>
      {label ? <span className="block text-muted-foreground text-xs">{label}</span> : null}
      {field === 'pictures' && text ? (
        <Pictures urls={text.split('\n')} />
      ) : (
        <p className="wrap-anywhere max-h-80 overflow-y-auto whitespace-pre-line">{text || 'Empty'}</p>
      )}
    </div>
  );
}

/** A picture that has been replaced since may no longer exist. */
function Pictures({ urls }: { urls: string[] }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-2">
      {urls.map((url) => (
        <li key={url} className="photo-edge relative size-20 overflow-hidden rounded-md bg-muted">
          <Picture
            className="size-full object-cover"
            src={url}
            alt=""
            width={80}
            height={80}
            fallback={<span className="grid size-full place-items-center text-muted-foreground text-xs">Gone</span>}
          />
        </li>
      ))}
    </ul>
  );
}
