export default function WatchlistPage() {
  return null;
}
