/** Tells search engines what the page is about, in schema.org's terms. */
export function StructuredData({ data }: { data: object }) {
  // Otherwise a name that contains `</script>` would end the element in prerendered HTML.
  return <script type="application/ld+json">{JSON.stringify(data).replaceAll('<', '\\u003c')}</script>;
}
