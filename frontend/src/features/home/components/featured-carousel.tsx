import { cva } from 'class-variance-authority';
import { ArrowLeft, ArrowRight, Pause, Play, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { InitialPortrait } from '@/components/influencer-card';
import { Picture } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { shareWithToast } from '@/components/share-toast';
import { buttonVariants } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { IconButton } from '@/components/ui/icon-button';
import { skeletonVariants } from '@/components/ui/skeleton';
import { useSwipe } from '@/hooks/use-swipe';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { paths } from '@/lib/paths';
import { NO_FOLLOWERS, PLATFORM_NAMES } from '@/lib/platforms';
import type { Featured } from '../queries';
import { useRotation } from '../use-rotation';

/**
 * Four creators: one open panel and three slim ones. Rotates automatically; pauses on hover and keyboard focus, and can
 * be stopped.
 */
const panel = cva(
  'photo-edge relative min-w-0 overflow-hidden rounded-2xl transition-[flex-grow] duration-(--dur-4) ease-out',
  {
    variants: {
      open: { true: 'flex-[3.4_1_0]', false: 'flex-[1_1_0] bg-muted max-[1100px]:hidden' },
    },
  },
);

const dot = cva('h-3 rounded-full', {
  variants: {
    state: {
      idle: 'w-3 inset-ring-2 inset-ring-input',
      still: 'w-8.5 bg-primary',
      turning:
        'w-8.5 animate-fill bg-[linear-gradient(90deg,var(--primary)_50%,var(--border)_50%)] bg-size-[200%_100%] bg-position-[100%_0]',
    },
  },
});

export function FeaturedCarousel({ creators }: { creators: Featured[] }) {
  const { active, playing, show, next, previous, toggle, hold } = useRotation(creators.length);
  const swipe = useSwipe(next, previous);
  const { region, followFocus } = useFocusOnOpened(active);
  return (
    <section className="wrap mt-18 max-sm:mt-14 lg:mt-24" aria-labelledby="featured">
      <div className="mb-5 flex items-end justify-between gap-4 max-sm:mb-4">
        <h2 className="text-[28px] max-sm:text-[25px] lg:text-[34px]" id="featured">
          Featured creators
        </h2>
        <div className="flex items-center gap-2">
          <div className="mr-2.5 flex items-center gap-1.5 max-sm:hidden" aria-hidden="true">
            {creators.map((creator, index) => (
              <i
                key={creator.id}
                className={dot({ state: index !== active ? 'idle' : playing ? 'turning' : 'still' })}
              />
            ))}
          </div>
          <IconButton variant="line" aria-label={playing ? 'Pause rotation' : 'Start rotation'} onClick={toggle}>
            {playing ? (
              <Pause className="size-4.5" aria-hidden="true" />
            ) : (
              <Play className="size-4.5" aria-hidden="true" />
            )}
          </IconButton>
          <IconButton variant="line" aria-label="Previous" onClick={previous}>
            <ArrowLeft className="size-4.5" aria-hidden="true" />
          </IconButton>
          <IconButton variant="line" aria-label="Next" onClick={next}>
            <ArrowRight className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      <section ref={region} {...hold} {...swipe} aria-roledescription="carousel" aria-label="Featured influencers">
        <div className="flex h-115 gap-3 max-sm:h-auto">
          {creators.map((creator, index) => (
            <FeaturedPanel
              key={creator.id}
              creator={creator}
              open={index === active}
              onOpen={() => followFocus(() => show(index))}
            />
          ))}
        </div>
      </section>
    </section>
  );
}

/** The slim panel that was pressed is replaced by an open one, so moves the focus to it. */
function useFocusOnOpened(active: number) {
  const region = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another panel opens
  useEffect(() => {
    if (!pressed.current) return;
    pressed.current = false;
    region.current?.querySelector<HTMLElement>('article a')?.focus({ preventScroll: true });
  }, [active]);
  const followFocus = (open: () => void) => {
    pressed.current = true;
    open();
  };
  return { region, followFocus };
}

function FeaturedPanel({ creator, open, onOpen }: { creator: Featured; open: boolean; onOpen: () => void }) {
  // On a phone the carousel starts below the first view.
  const inFirstView = useWideScreen() && open;
  const picture = (
    <Picture
      className="size-full object-cover object-[50%_20%]"
      src={creator.profile_image}
      alt=""
      width={368}
      height={460}
      eager={inFirstView}
      next={open}
      fallback={<InitialPortrait id={creator.id} name={creator.name} />}
    />
  );
  if (!open) {
    return (
      <button type="button" className={panel({ open: false })} onClick={onOpen} aria-label={`Show ${creator.name}`}>
        {picture}
        <span className="absolute inset-x-2.5 bottom-2.5 truncate rounded-[18px] bg-card px-3.5 py-3 text-center font-semibold text-[15px] text-foreground shadow-[0_6px_18px_-6px_rgb(20_35_28/0.4)] ring ring-ink/14">
          {creator.name}
        </span>
      </button>
    );
  }
  return (
    <article className={panel({ open: true, className: 'on-panel flex bg-panel text-white max-sm:flex-col' })}>
      <div className="relative w-92 flex-none max-sm:h-82.5 max-sm:w-full">{picture}</div>
      <div className="flex min-w-0 flex-1 flex-col p-8 max-sm:p-5.5">
        <Chip tone="panel" className="self-start">
          {creator.category}
        </Chip>
        <h3 className="mt-4.5 mb-2 text-[38px] leading-[1.02] tracking-[-0.03em] max-sm:mt-3.5 max-sm:text-[30px]">
          {creator.name}
        </h3>
        <p className="text-[17px] text-panel-muted">@{creator.username}</p>
        <dl className="mt-auto flex gap-9 tabular-nums max-sm:mt-5.5">
          {(['instagram', 'tiktok'] as const).map((platform) => (
            <div className="flex flex-col-reverse justify-end" key={platform}>
              <dt className="mt-1.5 flex items-center gap-1.5 text-[14px] text-panel-muted">
                <PlatformIcon platform={platform} className="size-4.5" />
                {PLATFORM_NAMES[platform]}
              </dt>
              <dd className="font-bold font-display text-[44px] leading-none tracking-[-0.03em] max-sm:text-[36px]">
                {creator[`${platform}_followers`] || NO_FOLLOWERS}
              </dd>
            </div>
          ))}
        </dl>
        <div className="mt-4.5 flex items-center gap-2.5">
          <Link className={buttonVariants({ variant: 'coral' })} to={paths.profile(creator.id)}>
            View profile
          </Link>
          <IconButton
            variant="panel"
            aria-label={`Share ${creator.name}`}
            onClick={() => shareWithToast(creator.id, creator.name)}
          >
            <Share2 className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </article>
  );
}

/** Has the height of the carousel. */
export function FeaturedSkeleton() {
  return (
    <section className="wrap mt-18 max-sm:mt-14 lg:mt-24" aria-labelledby="featured" aria-busy="true">
      <div className="mb-5 flex items-end justify-between gap-4 max-sm:mb-4">
        <h2 className="text-[28px] max-sm:text-[25px] lg:text-[34px]" id="featured">
          Featured creators
        </h2>
        <span className="size-11" />
      </div>
      <div className="flex h-115 gap-3 max-sm:h-auto" aria-hidden="true">
        <div
          className={panel({
            open: true,
            className: skeletonVariants({ radius: '2xl', className: 'max-sm:min-h-157.25' }),
          })}
        />
        <div className={panel({ open: false })} />
        <div className={panel({ open: false })} />
        <div className={panel({ open: false })} />
      </div>
    </section>
  );
}
