import { ArrowRight, HeartHandshake, Search, Sparkles, TrendingUp } from 'lucide-react';
import { Link } from 'react-router';
import aisyah from '@/assets/portraits/aisyah.svg';
import harjit from '@/assets/portraits/harjit.svg';
import meilin from '@/assets/portraits/meilin.svg';
import priya from '@/assets/portraits/priya.svg';
import { UbinPattern } from '@/components/ubin-pattern';
import { buttonVariants } from '@/components/ui/button';
import { chipVariants } from '@/components/ui/chip';
import { wallPicture } from '@/components/wall-picture';
import { paths } from '@/lib/paths';
import { useCategory } from '../use-category';

const CHIPS = [
  [Sparkles, 'Discover Your Perfect Match'],
  [TrendingUp, 'Grow Your Brand'],
  [HeartHandshake, 'Connect with Authenticity'],
] as const;

/** The tile wall, row by row: a portrait takes four cells, a pattern one. */
const WALL = [
  { portrait: aisyah, ground: '#BFE3CF', shape: 'arch' },
  { seed: 'pandan' },
  { portrait: harjit, ground: '#0F4D3F', shape: 'circ' },
  { seed: 'bunga' },
  { seed: 'daun' },
  { seed: 'raya' },
  { seed: 'kunyit' },
  { portrait: meilin, ground: '#FCE6AE', shape: 'leafc' },
  { seed: 'telang' },
  { portrait: priya, ground: '#BCD3F7', shape: 'arch' },
  { seed: 'laut' },
  { seed: 'songket' },
  { seed: 'anyam' },
  { seed: 'pucuk' },
  { seed: 'wau' },
  { seed: 'bintang' },
  { seed: 'tebar' },
  { seed: 'kopi' },
] as const;

/** One more row, where the text beside the wall is higher than five rows of squares. */
const LAST_ROW = ['sirih', 'tenun', 'melur', 'padi', 'kasut', 'pasir'];

export function Hero() {
  const { category } = useCategory();
  return (
    <section className="relative overflow-hidden">
      <div className="wrap lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:items-center">
        <div className="pt-10 pb-8 lg:py-6 lg:pr-10">
          <h1 className="text-[46px] leading-[0.98] tracking-[-0.035em] lg:text-[54px] xl:text-[72px]">
            Connect with the right influencers and agencies
          </h1>
          <p className="mt-5 mb-7 max-w-[29em] text-[18px] text-muted-foreground leading-normal lg:mt-6.5 lg:max-w-[25.5em] lg:text-[20px]">
            Discover content creators by audience, engagement and content style, then work with the agencies and vendors
            who make it happen.
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <Link
              className={buttonVariants({ size: 'large', className: 'max-sm:w-full' })}
              to={paths.searchCategory(category)}
            >
              <Search aria-hidden="true" />
              Find Influencers
            </Link>
            <Link
              className={buttonVariants({ variant: 'ghost', size: 'large', className: 'max-sm:w-full' })}
              to={paths.searchAgencies}
            >
              Browse agencies
              <ArrowRight aria-hidden="true" />
            </Link>
          </div>
          <ul className="mt-6 flex flex-wrap gap-2">
            {CHIPS.map(([Icon, text]) => (
              <li key={text} className={chipVariants({ tone: 'line', size: 'medium' })}>
                <Icon aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <div
          className="-mx-(--gutter) grid aspect-[6/5] auto-rows-fr grid-cols-6 bg-background *:min-h-0 *:min-w-0 *:overflow-hidden lg:mx-0 lg:aspect-square lg:w-[50vw] lg:max-w-240 xl:aspect-[6/5]"
          aria-hidden="true"
        >
          {WALL.map((place) =>
            'portrait' in place ? (
              <div key={place.portrait} className="col-span-2 row-span-2" style={{ background: place.ground }}>
                <img
                  className={wallPicture({ shape: place.shape })}
                  src={place.portrait}
                  alt=""
                  width={240}
                  height={240}
                />
              </div>
            ) : (
              <div key={place.seed}>
                <UbinPattern seed={place.seed} columns={1} rows={1} />
              </div>
            ),
          )}
          {LAST_ROW.map((seed) => (
            <div key={seed} className="hidden lg:max-xl:block">
              <UbinPattern seed={seed} columns={1} rows={1} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
