import { ArrowLeft, ArrowRight, Pause, Play, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { InitialPortrait } from '@/components/influencer-card';
import { Picture } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { shareWithToast } from '@/components/share-toast';
import { useSwipe } from '@/hooks/use-swipe';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { NO_FOLLOWERS, PLATFORM_NAMES } from '@/lib/followers';
import { paths } from '@/lib/paths';
import type { Featured } from '../queries';
import { useRotation } from '../use-rotation';

/**
 * Four creators: one open panel and three slim ones. Rotates automatically; pauses on hover and keyboard focus, and can
 * be stopped.
 */
export function FeaturedCarousel({ creators }: { creators: Featured[] }) {
  const { active, playing, show, next, previous, toggle, hold } = useRotation(creators.length);
  const swipe = useSwipe(next, previous);
  const { region, followFocus } = useFocusOnOpened(active);
  return (
    <section className="wrap sec" aria-labelledby="featured">
      <div className="sech">
        <h2 className="h2" id="featured">
          Featured creators
        </h2>
        <div className="row" style={{ gap: 8 }}>
          <div className="dots m-hide" aria-hidden="true" style={{ marginRight: 10 }}>
            {creators.map((creator, index) => (
              <i key={creator.id} className={index === active ? (playing ? 'on turning' : 'on') : ''} />
            ))}
          </div>
          <button
            type="button"
            className="ib line"
            aria-label={playing ? 'Pause rotation' : 'Start rotation'}
            onClick={toggle}
          >
            {playing ? <Pause className="i i18" aria-hidden="true" /> : <Play className="i i18" aria-hidden="true" />}
          </button>
          <button type="button" className="ib line" aria-label="Previous" onClick={previous}>
            <ArrowLeft className="i i18" aria-hidden="true" />
          </button>
          <button type="button" className="ib line" aria-label="Next" onClick={next}>
            <ArrowRight className="i i18" aria-hidden="true" />
          </button>
        </div>
      </div>
      <section ref={region} {...hold} {...swipe} aria-roledescription="carousel" aria-label="Featured influencers">
        <div className="acc">
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
    region.current?.querySelector<HTMLElement>('.on a')?.focus({ preventScroll: true });
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
      <button type="button" className="slim" onClick={onOpen} aria-label={`Show ${creator.name}`}>
        {picture}
        <span className="tag trunc">{creator.name}</span>
      </button>
    );
  }
  return (
    <article className="on on-panel">
      <div className="pic">{picture}</div>
      <div className="inf">
        <span className="chip featured-chip">{creator.category}</span>
        <h3>{creator.name}</h3>
        <p style={{ color: 'var(--panel-muted)', fontSize: 17 }}>@{creator.username}</p>
        <dl className="rs num">
          {(['instagram', 'tiktok'] as const).map((platform) => (
            <div key={platform} style={{ flexDirection: 'column-reverse' }}>
              <dt>
                <PlatformIcon platform={platform} className="i i18" />
                {PLATFORM_NAMES[platform]}
              </dt>
              <dd>{creator[`${platform}_followers`] || NO_FOLLOWERS}</dd>
            </div>
          ))}
        </dl>
        <div className="row" style={{ gap: 10, marginTop: 18 }}>
          <Link className="btn accent featured-link" to={paths.profile(creator.id)}>
            View profile
          </Link>
          <button
            type="button"
            className="ib featured-share"
            aria-label={`Share ${creator.name}`}
            onClick={() => shareWithToast(creator.id, creator.name)}
          >
            <Share2 className="i i18" aria-hidden="true" />
          </button>
        </div>
      </div>
    </article>
  );
}

/** Has the height of the carousel. */
export function FeaturedSkeleton() {
  return (
    <section className="wrap sec" aria-labelledby="featured" aria-busy="true">
      <div className="sech">
        <h2 className="h2" id="featured">
          Featured creators
        </h2>
        <span className="ib" />
      </div>
      <div className="acc" aria-hidden="true">
        <div className="sk open" />
        <div className="sk slim" />
        <div className="sk slim" />
        <div className="sk slim" />
      </div>
    </section>
  );
}
