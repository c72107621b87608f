// Makes user-supplied URLs safe to follow and short to display.

/** Returns only http and https URLs. */
export function safeLink(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Shows 'https://www.lumut.test/' as 'lumut.test'. */
export function shownAddress(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

/** A WhatsApp link built from the number's digits; undefined without digits. */
export function whatsAppLink(phone: string | null | undefined): string | undefined {
  const digits = (phone ?? '').replace(/\D/g, '');
  return digits ? `https://wa.me/${digits}` : undefined;
}
