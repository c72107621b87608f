// Shows how a typed phone number is interpreted. The library with the world's numbering plans (30 KB) is loaded when a
// number is typed; until then, the hint is general.
import { useEffect, useState } from 'react';

const GENERAL = 'Also opens WhatsApp. Without a country code, it is a Malaysian number.';
const UNKNOWN = 'This does not look like a phone number. It is shown as typed.';

export function usePhoneHint(phone: string): string {
  const typed = phone.trim();
  const [read, setRead] = useState<{ typed: string; hint: string }>();
  useEffect(() => {
    if (!typed) return;
    let current = true;
    import('libphonenumber-js/min')
      .then(({ parsePhoneNumberFromString }) => {
        const number = parsePhoneNumberFromString(typed, 'MY');
        const hint = number?.isValid() ? `Opens WhatsApp for ${number.formatInternational()}.` : UNKNOWN;
        if (current) setRead({ typed, hint });
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [typed]);
  return typed && read?.typed === typed ? read.hint : GENERAL;
}
