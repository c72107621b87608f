import { User } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const load = () => import('./account-menu-items');
const AccountMenuItems = lazy(load);

/** Renders the button immediately; loads the larger menu on hover or focus. */
export function AccountMenu() {
  const [wanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className="ib line"
      aria-label="Account menu"
      aria-haspopup="menu"
      aria-expanded={wanted}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      <User className="i" aria-hidden="true" />
    </button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenuItems />
    </Suspense>
  );
}
