import { Search } from 'lucide-react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';

export function NoFavorites() {
  return (
    <Card>
      <div className="grid justify-items-center gap-2 px-6 py-16 text-center">
        <svg className="mb-2 size-37.5" viewBox="0 0 150 150" aria-hidden="true">
          <circle cx="75" cy="75" r="75" fill="var(--muted)" />
          <path d="M42 34A12 12 0 0 1 54 22H75V92L42 122Z" fill="var(--primary)" />
          <path d="M75 34H96A12 12 0 0 1 108 46V134L75 104Z" fill="#FF7A66" />
        </svg>
        <h2 className="text-[24px]">No favorites yet</h2>
        <p className="max-w-[38ch] text-muted-foreground">Press Save on a profile to keep it here.</p>
        <Link className={buttonVariants({ className: 'mt-3' })} to={paths.searchInfluencers}>
          <Search aria-hidden="true" />
          Find Influencers
        </Link>
      </div>
    </Card>
  );
}
