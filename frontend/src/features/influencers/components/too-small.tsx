import { clsx } from 'clsx';
import { ArrowLeft, Link2 } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { Avatar } from '@/components/picture';
import { Button, buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import type { Influencer } from '../queries';
import { PhoneCard } from './phone-card';
import type { Saving } from './profile-actions';

/**
 * As specified, the profile requires a large screen. Smaller ones show this notice with a button to copy the link, and
 * the person's card.
 */
export function TooSmall(props: { influencer?: Influencer; saving: Saving; onPaper: boolean }) {
  const { influencer, saving, onPaper } = props;
  const { id = '' } = useParams();
  async function copy() {
    try {
      await navigator.clipboard.writeText(new URL(paths.profile(id), window.location.origin).toString());
      toast.success('Link copied!', { description: 'Profile link has been copied to clipboard.' });
    } catch {
      toast.error('Share failed', { description: 'Unable to share this profile.' });
    }
  }
  return (
    <section
      data-slot="whole-page"
      className={clsx(
        'wrap grid min-h-[calc(100dvh-64px)] content-center justify-items-center pt-6 pb-10 text-center lg:hidden',
        onPaper ? 'print:min-h-0' : 'print:hidden',
      )}
    >
      <div className="relative h-53.5 w-70 print:hidden" aria-hidden="true">
        <Desktop />
        {influencer ? (
          <Avatar
            id={influencer.id ?? ''}
            name={influencer.name ?? ''}
            src={influencer.profile_image}
            size={64}
            className="absolute top-18.5 left-10.5 border-4 border-mint"
          />
        ) : null}
      </div>
      <h1 className="mt-5 text-[32px] print:hidden">Screen Size Too Small</h1>
      <p className="mt-2.5 max-w-[32ch] text-[17px] text-muted-foreground print:hidden">
        This profile is laid out for larger screens. Please open it on a desktop to see the full page.
      </p>
      <div className="mt-6 grid w-full max-w-85 gap-2.5 print:hidden">
        <Button full size="large" onClick={() => void copy()}>
          <Link2 aria-hidden="true" />
          Copy profile link
        </Button>
        <Link className={buttonVariants({ variant: 'ghost', full: true })} to={paths.home}>
          <ArrowLeft aria-hidden="true" />
          Back to Explore
        </Link>
      </div>
      {influencer ? <PhoneCard influencer={influencer} saving={saving} /> : null}
    </section>
  );
}

function Desktop() {
  return (
    <svg viewBox="0 0 280 214" width="280" height="214" aria-hidden="true">
      <rect x="22" y="8" width="236" height="160" rx="14" fill="var(--ink)" />
      <rect x="34" y="20" width="212" height="136" rx="5" fill="#BFE3CF" />
      <rect x="34" y="20" width="212" height="52" fill="#FF7A66" />
      <path d="M174 72a26 26 0 0 1 52 0Z" fill="#F6B93B" />
      <path d="M34 72h212v12H34z" fill="#1E7F95" />
      <rect x="104" y="98" width="126" height="10" rx="5" fill="#0F4D3F" />
      <rect x="104" y="116" width="92" height="8" rx="4" fill="#8FC4A8" />
      <rect x="104" y="132" width="112" height="8" rx="4" fill="#8FC4A8" />
      <path d="M2 168H278L268 186Q264 192 256 192H24Q16 192 12 186Z" fill="#D3DAD0" />
      <path d="M108 168h64q-2 10-12 10h-40q-10 0-12-10z" fill="#B4BEB3" />
    </svg>
  );
}
