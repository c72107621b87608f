import { useParams } from 'react-router';
import { ReportDesk } from '@/features/admin/components/report-desk';

export default function ReportDeskPage() {
  const { id = '' } = useParams();
  return <ReportDesk key={id} id={id} />;
}
