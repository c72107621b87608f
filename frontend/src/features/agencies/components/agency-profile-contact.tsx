import { ArrowUpRight, Globe, type LucideIcon, Mail, MessageCircle, Phone } from 'lucide-react';
import { safeLink, shownAddress, whatsAppLink } from '@/lib/links';
import type { Agency } from '../agency-profile-queries';

/** Sticky beside the text. Phone and website are shown only if the agency has them. */
export function AgencyContact({ agency }: { agency: Agency }) {
  const website = safeLink(agency.website);
  return (
    <aside className="card pad agency-contact" aria-labelledby="contact">
      <h2 id="contact">Contact Information</h2>
      <ul className="stack">
        {agency.email ? <ContactLink icon={Mail} href={`mailto:${agency.email}`} text={agency.email} /> : null}
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
        className="row contact-link"
        href={props.href}
        {...(props.newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      >
        <Icon className="i" aria-hidden="true" />
        <span>{props.text}</span>
        {props.newTab ? <ArrowUpRight className="i i16" aria-hidden="true" /> : null}
      </a>
    </li>
  );
}

function WhatsAppButton({ phone }: { phone: string | null }) {
  const chat = whatsAppLink(phone);
  if (!chat) {
    return (
      <button type="button" className="btn primary full lg" disabled>
        <MessageCircle className="i" aria-hidden="true" />
        No WhatsApp Available
      </button>
    );
  }
  return (
    <a className="btn primary full lg" href={chat} target="_blank" rel="noopener noreferrer">
      <MessageCircle className="i" aria-hidden="true" />
      Contact via WhatsApp
    </a>
  );
}
