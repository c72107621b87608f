export default function Page() {
  return <h1>Admin dashboard</h1>;
}
