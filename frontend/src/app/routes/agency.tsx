export default function AgencyPage() {
  return null;
}
