import { useParams } from 'react-router';
import { ReportDesk } from '@/features/admin/components/report-desk';
import { usePageTitle } from '@/hooks/use-page-title';

export default function ReportDeskPage() {
  usePageTitle('Report');
  const { id = '' } = useParams();
  return <ReportDesk key={id} id={id} />;
}
