import { ArrowUpRight, Globe, type LucideIcon, Mail, MessageCircle, Phone } from 'lucide-react';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { mailTo } from '@/lib/email';
import { safeLink, shownAddress, whatsAppLink } from '@/lib/links';
import type { Agency } from '../agency-profile-queries';

/** Sticky beside the text. Phone and website are shown only if the agency has them. */
export function AgencyContact({ agency }: { agency: Agency }) {
  const website = safeLink(agency.website);
  return (
    <aside
      className={cardVariants({ padded: true, className: 'self-start lg:sticky lg:top-26' })}
      aria-labelledby="contact"
    >
      <h2 className="text-[21px]" id="contact">
        Contact Information
      </h2>
      <ul className="mt-3.5 mb-4.5 grid gap-0.5">
        {agency.email ? <ContactLink icon={Mail} href={mailTo(agency.email)} text={agency.email} /> : null}
        {agency.phone ? (
          <ContactLink icon={Phone} href={`tel:${agency.phone.replace(/[^\d+]/g, '')}`} text={agency.phone} />
        ) : null}
        {website ? <ContactLink icon={Globe} href={website} text={shownAddress(website)} newTab /> : null}
      </ul>
      <WhatsAppButton phone={agency.phone} />
    </aside>
  );
}

function ContactLink(props: { icon: LucideIcon; href: string; text: string; newTab?: boolean }) {
  const Icon = props.icon;
  return (
    <li>
      <a
        className="flex min-h-11 items-center gap-3"
        href={props.href}
        {...(props.newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      >
        <Icon aria-hidden="true" />
        <span className="wrap-anywhere min-w-0 underline decoration-input underline-offset-3">{props.text}</span>
        {props.newTab ? <ArrowUpRight className="size-4" aria-hidden="true" /> : null}
      </a>
    </li>
  );
}

function WhatsAppButton({ phone }: { phone: string | null }) {
  const chat = whatsAppLink(phone);
  if (!chat) {
    return (
      <Button className="print:hidden" full size="large" disabled>
        <MessageCircle aria-hidden="true" />
        No WhatsApp Available
      </Button>
    );
  }
  return (
    <a
      className={buttonVariants({ full: true, size: 'large', className: 'print:hidden' })}
      href={chat}
      target="_blank"
      rel="noopener noreferrer"
    >
      <MessageCircle aria-hidden="true" />
      Contact via WhatsApp
    </a>
  );
}
