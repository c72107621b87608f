import { useParams } from 'react-router';
import { NothingToReport, ReportPage as Report } from '@/features/reports/components/report-page';
import { isId, isReportKind } from '@/features/reports/kinds';

export default function ReportPage() {
  const { kind, id } = useParams();
  if (!isReportKind(kind) || !isId(id)) return <NothingToReport />;
  return <Report key={`${kind} ${id}`} kind={kind} id={id} />;
}
