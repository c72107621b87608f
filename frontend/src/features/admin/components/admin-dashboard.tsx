import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { UbinPattern } from '@/components/ubin-pattern';
import { countQuery, influencersQuery } from '../queries';
import { InfluencerTable } from './influencer-table';

export function AdminDashboard() {
  const [tab, setTab] = useState('pending');
  const pending = useInfiniteQuery(influencersQuery(false)).data?.pages.at(-1)?.total;
  const approved = useInfiniteQuery(influencersQuery(true)).data?.pages.at(-1)?.total;
  const agencies = useQuery(countQuery('agencies')).data;
  const vendors = useQuery(countQuery('vendors')).data;
  const tiles = [
    ['Waiting for approval', pending],
    ['Influencers', approved],
    ['Agencies', agencies],
    ['Vendors', vendors],
  ] as const;
  const tabs = [
    ['pending', 'Pre-Approved Accounts', pending],
    ['influencers', 'Influencers', approved],
    ['agencies', 'Agencies', agencies],
    ['vendors', 'Vendors', vendors],
    ['admins', 'Admins', undefined],
  ] as const;
  return (
    <main className="wrap" style={{ paddingBottom: 64 }}>
      <div className="ph" style={{ padding: '28px 0 20px' }}>
        <h1 style={{ fontSize: 34 }}>Admin dashboard</h1>
      </div>
      <ul className="tiles">
        {tiles.map(([label, count]) => (
          <li key={label} className="card tile">
            <span className="tp">
              <UbinPattern seed={label} columns={1} rows={1} />
            </span>
            <div>
              <b className="num">{count ?? '–'}</b>
              <span className="sm muted">{label}</span>
            </div>
          </li>
        ))}
      </ul>
      <Tabs.Root value={tab} onValueChange={setTab} style={{ marginTop: 28 }}>
        <Tabs.List className="linetabs" aria-label="Accounts">
          {tabs.map(([value, label, count]) => (
            <Tabs.Trigger key={value} value={value} className={value === tab ? 'on' : ''}>
              {label}
              {count === undefined ? null : (
                <span className={value === 'pending' && count > 0 ? 'count hot' : 'count'}>{count}</span>
              )}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <div style={{ marginTop: 20 }}>
          <Tabs.Content value="pending">
            <InfluencerTable approved={false} />
          </Tabs.Content>
          <Tabs.Content value="influencers">
            <InfluencerTable approved />
          </Tabs.Content>
          {(['agencies', 'vendors', 'admins'] as const).map((value) => (
            <Tabs.Content key={value} value={value}>
              <EmptyState
                title="This list is on its way"
                text="Approve and delete influencers in the first two tabs until then."
              />
            </Tabs.Content>
          ))}
        </div>
      </Tabs.Root>
    </main>
  );
}
