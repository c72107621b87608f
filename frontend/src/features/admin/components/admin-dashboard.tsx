import { useQuery } from '@tanstack/react-query';
import { UbinPattern } from '@/components/ubin-pattern';
import { LIVE } from '../live';
import { countsQuery } from '../queries';
import { AccountList } from './account-list';
import { LineTabs, type Tab } from './line-tabs';
import { StaffList } from './staff-list';

const TILES = [
  ['Waiting for approval', 'pending'],
  ['Influencers', 'influencers'],
  ['Agencies', 'agencies'],
  ['Vendors', 'vendors'],
] as const;

const TABS: readonly Tab[] = [
  { value: 'pending', label: 'Pre-Approved Accounts', count: 'pending', content: <AccountList list="pending" /> },
  { value: 'influencers', label: 'Influencers', count: 'influencers', content: <AccountList list="influencers" /> },
  { value: 'agencies', label: 'Agencies', count: 'agencies', content: <AccountList list="agencies" /> },
  { value: 'vendors', label: 'Vendors', count: 'vendors', content: <AccountList list="vendors" /> },
  { value: 'admins', label: 'Admins', count: 'admins', content: <StaffList /> },
];

export function AdminDashboard() {
  const counts = useQuery({ ...countsQuery, ...LIVE }).data;
  return (
    <>
      <div className="ph admin-head">
        <h1>Admin dashboard</h1>
      </div>
      <ul className="tiles">
        {TILES.map(([label, name]) => (
          <li key={name} className="card tile">
            <span className="tp">
              <UbinPattern seed={label} columns={1} rows={1} />
            </span>
            <div>
              <b className="num">{counts?.[name].toLocaleString('en') ?? '–'}</b>
              <span className="sm muted">{label}</span>
            </div>
          </li>
        ))}
      </ul>
      <LineTabs label="Accounts" tabs={TABS} />
    </>
  );
}
