import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import aisyah from '@/assets/portraits/aisyah.svg';
import harjit from '@/assets/portraits/harjit.svg';
import kavitha from '@/assets/portraits/kavitha.svg';
import meilin from '@/assets/portraits/meilin.svg';
import strip from '@/assets/strip.svg';
import { Brand } from '@/components/brand';
import { UbinPattern } from '@/components/ubin-pattern';
import { paths } from '@/lib/paths';
import type { Palette } from '@/lib/ubin';
import '@/styles/account.css';

const PORTRAITS = [
  { src: harjit, ground: '#FCE6AE', shape: 'circ' },
  { src: kavitha, ground: '#FF7A66', shape: 'arch' },
  { src: meilin, ground: '#F6B93B', shape: 'leafd' },
  { src: aisyah, ground: '#BFE3CF', shape: 'circ' },
];

/** The palette of the admin login: greens only, no portraits. */
const GREENS: Palette = ['#0B2F27', '#0F4D3F', '#176554', '#0D3B31'];

export interface Way {
  name: string;
  to: string;
}

const HOME: Way = { name: 'Back to Home', to: paths.home };

/** The tile wall on the left and the form on the right; on phones a strip of tiles above the form. */
export function SignInLayout(props: { seed: string; staff?: boolean; back?: Way; children: ReactNode }) {
  const portraits = props.staff ? [] : PORTRAITS;
  const back = props.back ?? HOME;
  return (
    <div className="au">
      <div className="aw d-only" aria-hidden="true">
        <div className="mos wall">
          {portraits.map((portrait) => (
            <div key={portrait.src} className="b2" style={{ background: portrait.ground }}>
              <img className={portrait.shape} src={portrait.src} alt="" width={280} height={280} />
            </div>
          ))}
          {Array.from({ length: 45 - portraits.length * 4 }, (_, index) => `${props.seed}-${index}`).map((seed) => (
            <div key={seed}>
              <UbinPattern seed={seed} columns={1} rows={1} palette={props.staff ? GREENS : undefined} />
            </div>
          ))}
        </div>
      </div>
      <div className="ms l-hide" aria-hidden="true">
        <img src={strip} alt="" width={1600} height={80} />
      </div>
      <main className="af">
        <div className="row between">
          <Brand />
          <Link className="btn ghost s" to={back.to}>
            <ArrowLeft className="i" aria-hidden="true" />
            {back.name}
          </Link>
        </div>
        <div className="fm">{props.children}</div>
      </main>
    </div>
  );
}

export function FormTitle(props: { title: string; text: ReactNode }) {
  return (
    <>
      <h1 className="account-title">{props.title}</h1>
      <p className="muted account-text">{props.text}</p>
    </>
  );
}
