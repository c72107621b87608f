export default function FavoritesPage() {
  return null;
}
