import { useParams } from 'react-router';
import { ManageProfile } from '@/features/admin/components/manage-profile';
import type { Kind } from '@/features/admin/lists';
import { usePageTitle } from '@/hooks/use-page-title';

export default function ManagePage({ kind }: { kind: Kind }) {
  usePageTitle(`Manage ${kind}`);
  const { id = '' } = useParams();
  return <ManageProfile key={id} kind={kind} id={id} />;
}
