export default function GigsPage() {
  return null;
}
