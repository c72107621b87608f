import { EmptyState } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import type { List } from '../lists';

const EMPTY: Record<List, [title: string, text: string]> = {
  pending: ['No accounts are waiting', 'New profiles appear here until they are approved.'],
  influencers: ['No influencers yet', 'Approved profiles appear here.'],
  agencies: ['No agencies yet', 'Agencies appear here after they save a profile.'],
  vendors: ['No vendors yet', 'Vendors appear here after they save a profile.'],
};

export function ListEmpty({ list, filtered, onReset }: { list: List; filtered: boolean; onReset: () => void }) {
  if (filtered) {
    return (
      <div role="status">
        <EmptyState title="No matching accounts" text="Try a shorter name, or remove a filter.">
          <Button variant="outline" onClick={onReset}>
            Reset
          </Button>
        </EmptyState>
      </div>
    );
  }
  const [title, text] = EMPTY[list];
  return (
    <div role="status">
      <EmptyState title={title} text={text} />
    </div>
  );
}

const SKELETON_KEYS = [...'abcdefgh'];

export function TableSkeleton({ label }: { label: string }) {
  return (
    <Card padded className="grid gap-4" role="status">
      <span className="sr-only">{label}</span>
      {SKELETON_KEYS.map((place) => (
        <Skeleton key={place} className="block h-11" />
      ))}
    </Card>
  );
}
