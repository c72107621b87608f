import { ArrowRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import strip from '@/assets/strip.svg';
import { PLATFORM_NAMES, PLATFORMS } from '@/lib/followers';
import { paths } from '@/lib/paths';
import { Brand } from '../brand';
import { PlatformIcon } from '../platform-icon';

/** The layout passes `newsletter` in, because components may not import features. */
export function Footer({ newsletter }: { newsletter: ReactNode }) {
  const { dashboardPath } = useSession();
  const currency = useId();
  return (
    <footer className="ft on-panel">
      <div className="strip">
        <img src={strip} alt="" width={1600} height={80} loading="lazy" />
      </div>
      <div className="wrap in">
        <div className="cols">
          <div>
            <h2>Marketplace</h2>
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
            <h2>Community</h2>
            <FooterLinks
              links={[
                ['Profile', dashboardPath ?? paths.auth],
                ['Favorites', paths.favorites],
                ['Watchlist', paths.page('watchlist')],
                ['My Collections', paths.page('my-collections')],
              ]}
            />
          </div>
          <div className="rg">
            <h2>
              <label htmlFor={currency}>Region</label>
            </h2>
            <select id={currency} className="inp currency" defaultValue="USD">
              <option>USD</option>
            </select>
            <p className="sm footer-note">Creators, agencies and suppliers from Perlis to Sabah, in one place.</p>
          </div>
          <div className="sb">
            <h2>Subscribe to updates</h2>
            {newsletter}
          </div>
        </div>
        <div className="bot">
          <div className="row wrapf" style={{ gap: 18 }}>
            <Brand onPanel />
            <span className="row" style={{ gap: 2 }}>
              {PLATFORMS.map((platform) => (
                <Link
                  key={platform}
                  className="ib"
                  to={`${paths.page('about-us')}#social-networks`}
                  aria-label={`Serasi on ${PLATFORM_NAMES[platform]}`}
                >
                  <PlatformIcon platform={platform} />
                </Link>
              ))}
            </span>
          </div>
          <div className="row wrapf" style={{ gap: '8px 22px' }}>
            <Link to={paths.page('privacy-policy')}>Privacy Policy</Link>
            <Link to={paths.page('licenses')}>Licenses</Link>
            <Link to={paths.page('api')}>API</Link>
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
          <Link to={to}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

/** The arrow button that submits the newsletter form. */
export function SubscribeButton({ busy }: { busy: boolean }) {
  return (
    <button type="submit" className="sub" aria-label="Subscribe" disabled={busy}>
      <ArrowRight className="i" aria-hidden="true" />
    </button>
  );
}
