import { useQuery } from '@tanstack/react-query';
import { UbinPattern } from '@/components/ubin-pattern';
import { cardVariants } from '@/components/ui/card';
import { LIVE } from '../live';
import { countsQuery } from '../queries';
import { AccountList } from './account-list';
import { LineTabs, type Tab } from './line-tabs';
import { ReportsButton } from './reports-button';
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
      <div className="flex flex-wrap items-center justify-between gap-3 pt-7 pb-5">
        <h1 className="text-[34px] leading-[1.08]">Admin dashboard</h1>
        <ReportsButton />
      </div>
      <ul className="grid grid-cols-2 gap-3 *:min-w-0 sm:grid-cols-4">
        {TILES.map(([label, name]) => (
          <li
            key={name}
            className={cardVariants({
              className:
                'flex flex-wrap items-center gap-4 px-5 py-4.5 max-sm:flex-col max-sm:items-start max-sm:gap-2.5 max-sm:p-3.5',
            })}
          >
            <span className="size-13 flex-none overflow-hidden rounded-[14px]">
              <UbinPattern seed={label} columns={1} rows={1} />
            </span>
            <div className="wrap-anywhere min-w-0">
              <b className="block font-bold font-display text-[28px] tabular-nums leading-[1.1] tracking-[-0.02em]">
                {counts?.[name].toLocaleString('en') ?? '–'}
              </b>
              <span className="text-muted-foreground text-sm">{label}</span>
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-7">
        <LineTabs label="Accounts" tabs={TABS} />
      </div>
    </>
  );
}
