import { User } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';

const load = () => import('./account-menu-items');
const AccountMenuItems = lazy(load);

/** Renders the button immediately; loads the larger menu on hover or focus. */
export function AccountMenu() {
  const [wanted, setWanted] = useState(false);
  const button = (
    <IconButton
      variant="line"
      aria-label="Account menu"
      aria-haspopup="menu"
      aria-expanded={wanted}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      <User aria-hidden="true" />
    </IconButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenuItems />
    </Suspense>
  );
}
