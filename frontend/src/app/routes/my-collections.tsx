export default function MyCollectionsPage() {
  return null;
}
