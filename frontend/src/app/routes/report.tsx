import { useParams } from 'react-router';
import { NothingToReport, ReportPage as Report } from '@/features/reports/components/report-page';
import { isId, isReportKind } from '@/features/reports/kinds';
import { usePageTitle } from '@/hooks/use-page-title';

export default function ReportPage() {
  const { kind, id } = useParams();
  usePageTitle('Report');
  if (!isReportKind(kind) || !isId(id)) return <NothingToReport />;
  return <Report key={`${kind} ${id}`} kind={kind} id={id} />;
}
