import { clsx } from 'clsx';
import type { KeyboardEvent } from 'react';
import { useRef } from 'react';
import { Avatar } from '@/components/picture';
import { StateBadge } from '@/components/state-badge';
import { Count } from '@/components/ui/count';
import { ringgit } from '@/lib/ringgit';
import { COLUMNS, columnsOf, nameOf, neighbor } from '../columns';
import type { Applicant } from '../queries';
import { isOpen } from './own-application';

/** The applicants in columns by state. Arrow keys move between them. */
export function ApplicantBoard(props: {
  applicants: readonly Applicant[];
  open: string | undefined;
  chosen: ReadonlySet<string>;
  onOpen: (id: string) => void;
  onChoose: (id: string) => void;
}) {
  const board = useRef<HTMLDivElement>(null);
  const columns = columnsOf(props.applicants);
  function move(event: KeyboardEvent) {
    const from = event.target instanceof HTMLElement ? event.target.dataset.applicant : undefined;
    const next = from ? neighbor(columns, from, event.key) : undefined;
    if (!next) return;
    event.preventDefault();
    board.current?.querySelector<HTMLElement>(`[data-applicant="${next.id}"]`)?.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside have the focus
    <div ref={board} className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 xl:grid-cols-4" onKeyDown={move}>
      {COLUMNS.map(({ title }, place) => (
        <section key={title} className="min-w-0 rounded-xl bg-muted p-3" aria-label={title}>
          <h2 className="flex items-center gap-2 px-1.5 pt-1 pb-3 text-[16px]">
            {title}
            <Count>{columns[place]?.length ?? 0}</Count>
          </h2>
          {columns[place]?.length ? (
            <ul className="grid grid-cols-1 gap-2">
              {columns[place].map((applicant) => (
                <ApplicantCard
                  key={applicant.id}
                  applicant={applicant}
                  isOpened={props.open === applicant.id}
                  isChosen={props.chosen.has(applicant.id)}
                  onOpen={() => props.onOpen(applicant.id)}
                  onChoose={() => props.onChoose(applicant.id)}
                />
              ))}
            </ul>
          ) : (
            <p className="px-1.5 pb-2 text-muted-foreground text-sm">No applicants</p>
          )}
        </section>
      ))}
    </div>
  );
}

function ApplicantCard(props: {
  applicant: Applicant;
  isOpened: boolean;
  isChosen: boolean;
  onOpen: () => void;
  onChoose: () => void;
}) {
  const { applicant } = props;
  const name = nameOf(applicant);
  return (
    <li
      className={clsx(
        'flex min-w-0 items-center gap-0.5 rounded-lg bg-card p-1 ring',
        props.isOpened ? 'ring-2 ring-primary' : 'ring-border',
      )}
    >
      <button
        type="button"
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-muted"
        data-applicant={applicant.id}
        aria-pressed={props.isOpened}
        onClick={props.onOpen}
      >
        <Avatar id={applicant.id} name={name} src={applicant.influencers?.profile_image} size={38} />
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere line-clamp-2 font-semibold text-[15px] leading-5">{name}</span>
          <span className="wrap-anywhere line-clamp-2 text-muted-foreground text-xs tabular-nums">
            {secondLine(applicant)}
          </span>
          {['cancelled', 'completed', 'withdrawn'].includes(applicant.state) ? (
            <StateBadge of="application" size="small" state={applicant.state} className="mt-1" />
          ) : null}
        </span>
      </button>
      {isOpen(applicant) ? (
        <label className="grid size-9 flex-none cursor-pointer place-items-center">
          <span className="sr-only">Select {name}</span>
          <input
            type="checkbox"
            className="size-4.5 accent-(--primary)"
            checked={props.isChosen}
            onChange={props.onChoose}
          />
        </label>
      ) : null}
    </li>
  );
}

const secondLine = ({ quote, influencers }: Applicant): string =>
  [quote === null ? undefined : ringgit(quote), influencers?.category].filter(Boolean).join(' · ') || 'No quote';
