import { useInfiniteQuery } from '@tanstack/react-query';
import { EndlessList } from '@/components/endless-list';
import type { BusinessFilters } from '@/lib/business-filters';
import { agencyList, type ListedAgency } from '../list-queries';
import { AgencyCard, AgencyCardSkeleton } from './agency-card';

const AGENCIES = { one: 'agency', many: 'agencies' };

const card = (agency: ListedAgency, index: number) => <AgencyCard agency={agency} eager={index === 0} />;

export function AgencyResults(props: {
  asked: BusinessFilters;
  quiet?: boolean;
  clearLabel: string;
  onClear: () => void;
}) {
  return (
    <EndlessList
      result={useInfiniteQuery(agencyList(props.asked))}
      noun={AGENCIES}
      columns="four"
      quiet={props.quiet ?? false}
      belowToolbar
      card={card}
      skeleton={<AgencyCardSkeleton />}
      emptyText="Try another word, or remove one filter."
      clearLabel={props.clearLabel}
      onClear={props.onClear}
    />
  );
}
