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

/** A WhatsApp link for a phone number as people type it; undefined without digits. National numbers are Malaysian. */
export function whatsAppLink(phone: string | null | undefined): string | undefined {
  const digits = internationalDigits(phone ?? '');
  return digits ? `https://wa.me/${digits}` : undefined;
}

function internationalDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (digits.startsWith('00')) return digits.slice(2);
  // '+60 (0)12-345 6789' repeats the national prefix.
  if (digits.startsWith('600')) return `60${digits.slice(3)}`;
  if (phone.trim().startsWith('+') || digits.startsWith('60')) return digits;
  if (digits.startsWith('0')) return `60${digits.slice(1)}`;
  // A mobile number without its national prefix: '12-345 6789'.
  return /^1\d{8,9}$/.test(digits) ? `60${digits}` : digits;
}
