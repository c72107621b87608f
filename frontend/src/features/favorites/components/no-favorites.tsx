import { Search } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '@/lib/paths';

export function NoFavorites() {
  return (
    <div className="card">
      <div className="empty no-favorites">
        <svg className="art" viewBox="0 0 150 150" aria-hidden="true">
          <circle cx="75" cy="75" r="75" fill="var(--muted)" />
          <path d="M42 34A12 12 0 0 1 54 22H75V92L42 122Z" fill="var(--primary)" />
          <path d="M75 34H96A12 12 0 0 1 108 46V134L75 104Z" fill="#FF7A66" />
        </svg>
        <h2>No favorites yet</h2>
        <p>Press Save on a profile and it waits for you here.</p>
        <Link className="btn primary" to={paths.searchInfluencers}>
          <Search className="i" aria-hidden="true" />
          Find Influencers
        </Link>
      </div>
    </div>
  );
}
