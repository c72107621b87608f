import { useInfiniteQuery } from '@tanstack/react-query';
import { EndlessList } from '@/components/endless-list';
import type { BusinessFilters } from '@/lib/business-filters';
import { type ListedVendor, vendorList } from '../list-queries';
import { VendorCard, VendorCardSkeleton } from './vendor-card';

const VENDORS = { one: 'vendor', many: 'vendors' };

const card = (vendor: ListedVendor, index: number) => <VendorCard vendor={vendor} eager={index < 3} />;

export function VendorResults(props: { asked: BusinessFilters; onClear: () => void }) {
  return (
    <EndlessList
      result={useInfiniteQuery(vendorList(props.asked))}
      noun={VENDORS}
      columns="three"
      belowToolbar
      card={card}
      skeleton={<VendorCardSkeleton />}
      emptyText="Try another word, or remove one filter."
      clearLabel="Clear all filters"
      onClear={props.onClear}
    />
  );
}
