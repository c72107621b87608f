import { ArrowRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import strip from '@/assets/strip.svg';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { inputVariants } from '@/components/ui/input-variants';
import { paths } from '@/lib/paths';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/platforms';
import { Brand } from '../brand';
import { PlatformIcon } from '../platform-icon';

/** The layout passes `newsletter` in, because components may not import features. */
export function Footer({ newsletter, onShortcuts }: { newsletter: ReactNode; onShortcuts: () => void }) {
  const { dashboardPath } = useSession();
  const currency = useId();
  return (
    <footer className="on-panel print:hidden mt-24 bg-footer text-footer-foreground max-lg:peer-has-data-[slot=whole-page]:hidden">
      <div className="h-16 overflow-hidden lg:h-20">
        <img className="size-full object-cover" src={strip} alt="" width={1600} height={80} loading="lazy" />
      </div>
      <div className="wrap pt-14 pb-7">
        <div className="grid grid-cols-2 gap-9 lg:grid-cols-[1fr_1fr_1.3fr_1.6fr] lg:gap-12">
          <div>
            <h2 className="mb-3 text-[16px] tracking-[-0.01em]">Marketplace</h2>
            <FooterLinks
              links={[
                ['Explore', paths.explore],
                ['Help Center', paths.page('help-center')],
                ['Become a Partner', paths.pricing],
                ['About Us', paths.page('about-us')],
              ]}
            />
          </div>
          <div>
            <h2 className="mb-3 text-[16px] tracking-[-0.01em]">Community</h2>
            <FooterLinks
              links={[
                ['Profile', dashboardPath ?? paths.auth],
                ['Favorites', paths.favorites],
                ['Watchlist', paths.page('watchlist')],
                ['My Collections', paths.page('my-collections')],
              ]}
            />
          </div>
          <div className="col-span-full lg:col-auto">
            <h2 className="mb-3 text-[16px] tracking-[-0.01em]">
              <label htmlFor={currency}>Region</label>
            </h2>
            <select
              id={currency}
              className={inputVariants({ look: 'footer', className: 'max-w-33' })}
              defaultValue="USD"
            >
              <option className="text-ink">USD</option>
            </select>
            <p className="mt-3 min-h-5 max-w-[30ch] text-footer-muted text-sm">
              Creators, agencies and suppliers from Perlis to Sabah, in one place.
            </p>
          </div>
          <div className="col-span-full lg:col-auto">
            <h2 className="mb-3 text-[16px] tracking-[-0.01em]">Subscribe to updates</h2>
            {newsletter}
          </div>
        </div>
        <div className="mt-11 flex flex-wrap items-center justify-between gap-x-7 gap-y-4 border-white/14 border-t pt-5 text-[14px] text-footer-muted">
          <div className="flex flex-wrap items-center gap-4.5">
            <Brand onPanel />
            <span className="flex items-center gap-0.5">
              {PLATFORMS.map((platform) => (
                <Link
                  key={platform}
                  className={iconButtonVariants()}
                  to={`${paths.page('about-us')}#social-networks`}
                  aria-label={`Serasi on ${PLATFORM_NAMES[platform]}`}
                >
                  <PlatformIcon platform={platform} />
                </Link>
              ))}
            </span>
          </div>
          <div className="flex flex-wrap items-center gap-x-5.5 gap-y-2">
            <Link to={paths.page('privacy-policy')}>Privacy Policy</Link>
            <Link to={paths.page('licenses')}>Licenses</Link>
            <Link to={paths.page('api')}>API</Link>
            <button type="button" onClick={onShortcuts}>
              Keyboard shortcuts
            </button>
            <span>© 2025 Serasi. All rights reserved.</span>
          </div>
        </div>
      </div>
    </footer>
  );
}

function FooterLinks({ links }: { links: [name: string, to: string][] }) {
  return (
    <ul>
      {links.map(([name, to]) => (
        <li key={name}>
          <Link className="inline-block py-1.25 text-footer-muted hover:text-white" to={to}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The arrow button that submits the newsletter form. */
export function SubscribeButton({ busy }: { busy: boolean }) {
  return (
    <button
      type="submit"
      className="grid size-10 flex-none place-items-center rounded-[9px] bg-coral text-ink"
      aria-label="Subscribe"
      disabled={busy}
    >
      <ArrowRight aria-hidden="true" />
    </button>
  );
}
