import { AccountList } from './account-list';
import { CreateAdmin } from './create-admin';
import { LineTabs, type Tab } from './line-tabs';
import { StaffList } from './staff-list';

const TABS: readonly Tab[] = [
  { value: 'pending', label: 'Pre-Approved', count: 'pending', content: <AccountList list="pending" /> },
  { value: 'influencers', label: 'Influencers', count: 'influencers', content: <AccountList list="influencers" /> },
  { value: 'agencies', label: 'Agencies', count: 'agencies', content: <AccountList list="agencies" /> },
  { value: 'admins', label: 'Admins', count: 'admins', content: <StaffList editable /> },
  { value: 'create', label: 'Create Admin', content: <CreateAdmin /> },
];

export function SuperadminPanel() {
  return (
    <>
      <div className="pt-7 pb-5">
        <h1 className="text-[34px] leading-[1.08]">Super admin panel</h1>
      </div>
      <LineTabs label="Super admin" tabs={TABS} />
    </>
  );
}
