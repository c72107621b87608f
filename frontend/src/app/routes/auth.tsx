export default function Page() {
  return <h1>Influencer portal</h1>;
}
