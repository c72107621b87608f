import { BusinessToolbar } from '@/components/business-toolbar';
import { VendorResults } from '@/features/vendors/components/vendor-results';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { BUSINESS_ADDRESS, NO_BUSINESS_FILTERS } from '@/lib/business-filters';
import { VENDOR_TYPES } from '@/lib/kinds';

export default function SearchVendorsPage() {
  const { filters, asked, set, change, settle } = useAddressFilters(BUSINESS_ADDRESS);
  return (
    <main className="wrap">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Search Vendors</h1>
      </div>
      <BusinessToolbar
        many="vendors"
        typeLabel="Vendor Type"
        types={VENDOR_TYPES}
        filters={filters}
        change={change}
        set={set}
        settle={settle}
      />
      <VendorResults asked={asked} onClear={() => set(NO_BUSINESS_FILTERS)} />
    </main>
  );
}
