export default function HelpCenterPage() {
  return null;
}
