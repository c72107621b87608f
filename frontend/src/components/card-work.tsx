import { useQuery } from '@tanstack/react-query';
import { cva } from 'class-variance-authority';
import { Send } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSwipe } from '@/hooks/use-swipe';
import { paths } from '@/lib/paths';
import { workQuery } from '@/lib/work-query';
import { Picture } from './picture';

/** A mouse that only crosses the card requests nothing. */
const PAUSE_MS = 100;

const layer = cva(
  'absolute inset-0 size-full object-cover transition-opacity duration-(--dur-3) starting:opacity-0 motion-reduce:transition-none',
  { variants: { visible: { true: 'opacity-100', false: 'opacity-0' } } },
);

const dot = cva('size-1.5 rounded-full', { variants: { current: { true: 'bg-ink', false: 'bg-ink/25' } } });

/** The event that made the card load this. */
type FirstPointer = Pick<PointerEvent, 'pointerType' | 'clientX' | 'clientY'>;

/** Content pictures over a card's portrait. A mouse chooses one by its position, a finger by swiping. */
export default function CardWork({ id, first }: { id: string; first: FirstPointer }): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  const { wanted, opened, share, steps } = usePointer(ref, first);
  const { data = [] } = useQuery({ ...workQuery(id), enabled: wanted });
  const count = data.length;
  // The portrait is 0. A share is of the card's width, from 0 to 1.
  const current =
    share === undefined ? modulo(steps, count + 1) : Math.min(count, Math.max(1, Math.ceil(share * count)));
  return (
    <>
      <div ref={ref} aria-hidden="true" data-slot="card-work" data-current={current}>
        {opened
          ? data.map(({ url }, index) => (
              <Picture
                key={url}
                className={layer({ visible: index < current })}
                src={url}
                alt=""
                width={300}
                height={324}
                sizes="(max-width: 639px) 140px, 300px"
                next
                fallback={null}
              />
            ))
          : null}
        {count > 0 && (share !== undefined || steps !== 0 || first.pointerType === 'touch') ? (
          <span className="absolute top-2 left-2 flex gap-1 rounded-full bg-white p-1.5 shadow-photo ring ring-ink/14">
            {data.map(({ url }, index) => (
              <i key={url} className={dot({ current: index + 1 === current })} />
            ))}
          </span>
        ) : null}
      </div>
      {first.pointerType === 'mouse' ? <CardEnquire id={id} /> : null}
    </>
  );
}

/** Appears while a mouse points at the card. Otherwise the profile offers it. The card's only link is its profile. */
function CardEnquire({ id }: { id: string }) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className="absolute right-2 bottom-2 z-1 inline-flex h-7.5 items-center gap-1.5 rounded-full bg-white px-3 font-semibold text-[13px] text-ink opacity-0 shadow-photo ring ring-ink/14 focus-visible:opacity-100 in-[article:hover]:opacity-100"
      onClick={() => navigate(paths.enquire(id))}
    >
      <Send className="size-3.75" aria-hidden="true" />
      Enquire
    </button>
  );
}

const modulo = (number: number, by: number) => ((number % by) + by) % by;

/** Follows pointers on the card that contains the element. Never prevents scrolling or clicks. */
function usePointer(inside: RefObject<HTMLElement | null>, first: FirstPointer) {
  const [wanted, setWanted] = useState(first.pointerType === 'touch');
  const [opened, setOpened] = useState(false);
  const [share, setShare] = useState<number>();
  const [steps, setSteps] = useState(0);
  const step = (by: number) => {
    setOpened(true);
    setSteps((now) => now + by);
  };
  const swipe = useRef(
    useSwipe(
      () => step(1),
      () => step(-1),
    ),
  );

  useEffect(() => {
    const card = inside.current?.closest('article');
    if (!card) return;
    const { onTouchStart, onTouchEnd } = swipe.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const move = (event: FirstPointer) => {
      if (event.pointerType !== 'mouse') return;
      const { left, width } = card.getBoundingClientRect();
      setShare((event.clientX - left) / width);
      timer ??= setTimeout(() => {
        setWanted(true);
        setOpened(true);
      }, PAUSE_MS);
    };
    const leave = () => {
      clearTimeout(timer);
      timer = undefined;
      setShare(undefined);
    };
    const touch = (event: TouchEvent) => {
      setWanted(true);
      onTouchStart(event);
    };
    // The first movement began before this was loaded.
    if (first.pointerType === 'touch') onTouchStart({ touches: [first] });
    else if (card.matches(':hover')) move(first);
    card.addEventListener('pointermove', move);
    card.addEventListener('pointerleave', leave);
    card.addEventListener('touchstart', touch, { passive: true });
    card.addEventListener('touchend', onTouchEnd);
    return () => {
      leave();
      card.removeEventListener('pointermove', move);
      card.removeEventListener('pointerleave', leave);
      card.removeEventListener('touchstart', touch);
      card.removeEventListener('touchend', onTouchEnd);
    };
  }, [inside, first]);

  return { wanted, opened, share, steps };
}
