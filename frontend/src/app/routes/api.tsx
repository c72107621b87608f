export default function ApiPage() {
  return null;
}
