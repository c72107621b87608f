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
import { buttonVariants } from '@/components/ui/button';
import { wallPicture } from '@/components/wall-picture';
import { paths } from '@/lib/paths';
import type { Palette } from '@/lib/ubin';

const PORTRAITS = [
  { src: harjit, ground: '#FCE6AE', shape: 'circ' },
  { src: kavitha, ground: '#FF7A66', shape: 'arch' },
  { src: meilin, ground: '#F6B93B', shape: 'leafd' },
  { src: aisyah, ground: '#BFE3CF', shape: 'circ' },
] as const;

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
    <div className="grid min-h-screen grid-rows-[auto_1fr] *:min-w-0 lg:grid-cols-[50vw_1fr] lg:grid-rows-none">
      <div className="max-lg:hidden lg:sticky lg:top-0 lg:h-screen lg:overflow-hidden" aria-hidden="true">
        <div className="grid aspect-[5/9] grid-flow-dense grid-cols-5 grid-rows-9 bg-background *:min-h-0 *:min-w-0 *:overflow-hidden">
          {portraits.map((portrait) => (
            <div key={portrait.src} className="col-span-2 row-span-2" style={{ background: portrait.ground }}>
              <img
                className={wallPicture({ shape: portrait.shape })}
                src={portrait.src}
                alt=""
                width={280}
                height={280}
              />
            </div>
          ))}
          {Array.from({ length: 45 - portraits.length * 4 }, (_, index) => `${props.seed}-${index}`).map((seed) => (
            <div key={seed}>
              <UbinPattern seed={seed} columns={1} rows={1} palette={props.staff ? GREENS : undefined} />
            </div>
          ))}
        </div>
      </div>
      <div className="h-18 overflow-hidden lg:hidden" aria-hidden="true">
        <img className="size-full object-cover" src={strip} alt="" width={1600} height={80} />
      </div>
      <main className="flex min-w-0 flex-col px-(--gutter) pt-5 pb-10 lg:px-14 lg:py-7">
        <div className="flex items-center justify-between gap-3">
          <Brand />
          <Link className={buttonVariants({ variant: 'ghost', size: 'small' })} to={back.to}>
            <ArrowLeft aria-hidden="true" />
            {back.name}
          </Link>
        </div>
        <div className="mx-auto my-8 w-full max-w-105 lg:m-auto lg:py-8">{props.children}</div>
      </main>
    </div>
  );
}

export function FormTitle(props: { title: string; text: ReactNode }) {
  return (
    <>
      <h1 className="text-[38px]">{props.title}</h1>
      <p className="wrap-anywhere mt-1.5 text-[17px] text-muted-foreground">{props.text}</p>
    </>
  );
}
