import { Laptop } from 'lucide-react';
import { Link } from 'react-router';
import { Banner } from '@/components/ui/banner';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** Tells visitors where their favorites are stored, and how to keep them on every device. */
export function BrowserBanner() {
  return (
    <Banner
      tone="blue"
      icon={Laptop}
      title="Kept in this browser"
      className="mb-6"
      actions={
        <Link className={buttonVariants({ variant: 'outline', size: 'small' })} to={paths.auth}>
          Sign In
        </Link>
      }
    >
      <p>Sign in to keep them on every device.</p>
    </Banner>
  );
}
