import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { Link, useSearchParams } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { stateLabel } from '@/components/state-badge';
import { buttonVariants } from '@/components/ui/button';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { ownInfluencerQuery } from '@/lib/own-influencer-query';
import { paths } from '@/lib/paths';
import { type Box, enquiriesQuery, STATES } from '../queries';
import { EnquiryRow } from './enquiry-row';

const FAILED = 'Failed to load enquiries';

/** Received and sent enquiries, each by state. The choice is part of the URL. */
export function EnquiriesPage({ userId }: { userId: string }) {
  const [query, setQuery] = useSearchParams();
  const own = useQuery(ownInfluencerQuery(userId));
  const state = STATES.find((known) => known === query.get('state')) ?? '';
  // An account without a profile receives no enquiries, so it starts with the sent ones.
  const box: Box = query.get('box') === 'sent' || (!query.has('box') && own.data === null) ? 'sent' : 'received';
  const choose = (next: { box: Box; state: string }) =>
    setQuery(next.state ? next : { box: next.box }, { replace: true });
  if (own.isError) return <LoadFailure title={FAILED} error={own.error} retry={own.refetch} />;
  return (
    <main className="wrap pb-16">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Enquiries</h1>
        <p className="mt-2 text-[17px] text-muted-foreground">
          Each enquiry gets one answer. Open enquiries expire after 7 days.
        </p>
      </div>
      {own.isPending ? (
        <Loader label="Loading enquiries..." />
      ) : (
        <Tabs.Root value={box} onValueChange={(next) => choose({ box: next as Box, state: '' })}>
          <Tabs.List className={tabListVariants({ look: 'segment' })} aria-label="Received or sent">
            <Tabs.Trigger value="received" className={tabVariants({ look: 'segment' })}>
              Received
            </Tabs.Trigger>
            <Tabs.Trigger value="sent" className={tabVariants({ look: 'segment' })}>
              Sent
            </Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value={box} className="mt-5 outline-none">
            <fieldset className={tabListVariants({ look: 'pill', className: 'min-w-0' })} aria-label="State">
              {['', ...STATES].map((each) => (
                <button
                  key={each}
                  type="button"
                  className={tabVariants({ look: 'pill' })}
                  data-state={each === state ? 'active' : undefined}
                  aria-pressed={each === state}
                  onClick={() => choose({ box, state: each })}
                >
                  {each ? stateLabel('enquiry', each) : 'All'}
                </button>
              ))}
            </fieldset>
            <EnquiryList userId={userId} box={box} party={box === 'sent' ? userId : own.data} state={state} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </main>
  );
}

interface Chosen {
  userId: string;
  box: Box;
  party: string | null;
  state: string;
}

function EnquiryList(chosen: Chosen) {
  const list = useInfiniteQuery(enquiriesQuery(chosen));
  if (list.isError && !list.data) return <LoadFailure inside title={FAILED} error={list.error} retry={list.refetch} />;
  if (!list.data) return <Loader label="Loading enquiries..." />;
  const rows = list.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <NoEnquiries {...chosen} />;
  return (
    <>
      <ul className="mt-5 grid gap-3">
        {rows.map((row) => (
          <EnquiryRow key={row.id} enquiry={row} box={chosen.box} />
        ))}
      </ul>
      <LoadMore list={list} failed={FAILED} />
    </>
  );
}

function NoEnquiries({ box, party, state }: Chosen) {
  if (state) {
    return (
      <EmptyState title={`No ${stateLabel('enquiry', state).toLowerCase()} enquiries`} text="Choose another state." />
    );
  }
  if (box === 'received') {
    return (
      <EmptyState
        title="No enquiries yet"
        text={
          party
            ? 'Brands can write to you from your profile. We’ll e-mail you when one does.'
            : 'Only influencers with a saved profile receive enquiries.'
        }
      />
    );
  }
  return (
    <EmptyState title="You haven’t sent an enquiry yet" text="Open a profile and select Enquire.">
      <Link className={buttonVariants()} to={paths.searchInfluencers}>
        Find Influencers
      </Link>
    </EmptyState>
  );
}
