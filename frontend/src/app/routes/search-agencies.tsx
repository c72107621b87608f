import { BusinessToolbar } from '@/components/business-toolbar';
import { AgencyResults } from '@/features/agencies/components/agency-results';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { BUSINESS_ADDRESS, NO_BUSINESS_FILTERS } from '@/lib/business-filters';
import { AGENCY_TYPES } from '@/lib/kinds';

export default function SearchAgenciesPage() {
  const { filters, asked, set, change, settle } = useAddressFilters(BUSINESS_ADDRESS);
  return (
    <main className="wrap">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Search Agencies</h1>
      </div>
      <BusinessToolbar
        many="agencies"
        typeLabel="Agency Type"
        types={AGENCY_TYPES}
        filters={filters}
        change={change}
        set={set}
        settle={settle}
      />
      <AgencyResults asked={asked} clearLabel="Clear all filters" onClear={() => set(NO_BUSINESS_FILTERS)} />
    </main>
  );
}
