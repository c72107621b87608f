import { ArrowRight, HeartHandshake, Search, Sparkles, TrendingUp } from 'lucide-react';
import { Link } from 'react-router';
import aisyah from '@/assets/portraits/aisyah.svg';
import harjit from '@/assets/portraits/harjit.svg';
import meilin from '@/assets/portraits/meilin.svg';
import priya from '@/assets/portraits/priya.svg';
import { UbinPattern } from '@/components/ubin-pattern';
import { paths } from '@/lib/paths';

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

export function Hero() {
  return (
    <section className="hero">
      <div className="wrap in">
        <div className="txt">
          <h1>Connect with the right influencers and agencies</h1>
          <p className="lead">
            Discover content creators by audience, engagement and content style, then work with the agencies and vendors
            who make it happen.
          </p>
          <div className="row wrapf">
            <Link className="btn primary lg mfull" to={paths.searchInfluencers}>
              <Search className="i" aria-hidden="true" />
              Find Influencers
            </Link>
            <Link className="btn ghost lg mfull" to={paths.searchAgencies}>
              Browse agencies
              <ArrowRight className="i" aria-hidden="true" />
            </Link>
          </div>
          <ul className="hchips">
            {CHIPS.map(([Icon, text]) => (
              <li key={text} className="chip line" style={{ height: 36 }}>
                <Icon className="i" aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <div className="mos" aria-hidden="true">
          {WALL.map((place) =>
            'portrait' in place ? (
              <div key={place.portrait} className="b2" style={{ background: place.ground }}>
                <img className={place.shape} src={place.portrait} alt="" width={240} height={240} />
              </div>
            ) : (
              <div key={place.seed}>
                <UbinPattern seed={place.seed} columns={1} rows={1} />
              </div>
            ),
          )}
        </div>
      </div>
    </section>
  );
}
