import { Laptop } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '@/lib/paths';

/** Tells visitors where their favorites are stored, and how to keep them on every device. */
export function BrowserBanner() {
  return (
    <div className="ban blue browser-banner">
      <span className="bi">
        <Laptop className="i" aria-hidden="true" />
      </span>
      <div className="grow">
        <h2>Kept in this browser</h2>
        <p>Sign in to keep them on every device.</p>
      </div>
      <Link className="btn outline s" to={paths.auth}>
        Sign In
      </Link>
    </div>
  );
}
