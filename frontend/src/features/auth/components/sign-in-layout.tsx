import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import strip from '@/assets/strip.svg';
import { Brand } from '@/components/brand';
import { UbinPattern } from '@/components/ubin-pattern';
import { paths } from '@/lib/paths';
import type { Palette } from '@/lib/ubin';

export interface WallPortrait {
  src: string;
  ground: string;
  shape: 'arch' | 'circ' | 'leafd';
}

/** The tile wall at the left half, the form at the right; a strip on phones. */
export function SignInLayout(props: {
  title: string;
  text: string;
  portraits: WallPortrait[];
  seed: string;
  palette?: Palette;
  children: ReactNode;
}) {
  return (
    <div className="au">
      <div className="aw d-only" aria-hidden="true">
        <div className="mos wall">
          {props.portraits.map((portrait) => (
            <div key={portrait.src} className="b2" style={{ background: portrait.ground }}>
              <img className={portrait.shape} src={portrait.src} alt="" width={280} height={280} />
            </div>
          ))}
          {Array.from({ length: 45 - props.portraits.length * 4 }, (_, index) => `${props.seed}-${index}`).map(
            (seed) => (
              <div key={seed}>
                <UbinPattern seed={seed} columns={1} rows={1} palette={props.palette} />
              </div>
            ),
          )}
        </div>
      </div>
      <div className="ms l-hide" aria-hidden="true">
        <img src={strip} alt="" width={1600} height={80} />
      </div>
      <main className="af">
        <div className="row between">
          <Brand />
          <Link className="btn ghost s" to={paths.home}>
            <ArrowLeft className="i" aria-hidden="true" />
            Back to Home
          </Link>
        </div>
        <div className="fm">
          <h1 style={{ fontSize: 38 }}>{props.title}</h1>
          <p className="muted" style={{ marginTop: 6, fontSize: 17 }}>
            {props.text}
          </p>
          {props.children}
        </div>
      </main>
    </div>
  );
}
