export default function Page() {
  return <h1>Admin login</h1>;
}
