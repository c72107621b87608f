export default function LicensesPage() {
  return null;
}
