// Addresses that people typed, made safe to follow and fit to read.

/** Only addresses that a browser may be sent to. */
export function safeLink(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** 'https://www.lumut.test/' is read as 'lumut.test'. */
export function shownAddress(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

/** A chat with the number, or nothing where there is none: everything but its digits is left out. */
export function whatsAppLink(phone: string | null | undefined): string | undefined {
  const digits = (phone ?? '').replace(/\D/g, '');
  return digits ? `https://wa.me/${digits}` : undefined;
}
