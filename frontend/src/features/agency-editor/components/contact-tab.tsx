import { Globe, type LucideIcon, Mail, MapPin, MessageCircle, Phone } from 'lucide-react';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { AGENCY_TYPES } from '@/lib/kinds';
import { shownAddress, whatsAppLink } from '@/lib/links';
import { isWebLink } from '@/lib/web-link';
import type { AgencyForm } from '../schema';

const { TextField, SelectField } = fieldsOf<AgencyForm>();

export function ContactTab() {
  return (
    <>
      <div>
        <h2>Contact & Details</h2>
        <p className="sub">How brands and creators reach you.</p>
      </div>
      <TextField name="email" label="E-mail" required type="email" icon={Mail} autoComplete="email" />
      <div className="cols2">
        <TextField
          name="phone"
          label="Phone"
          type="tel"
          icon={Phone}
          autoComplete="tel"
          hint="Also opens WhatsApp. Start with +60."
        />
        <TextField name="website" label="Website" type="url" icon={Globe} placeholder="https://" />
        <SelectField name="type" label="Agency type" options={AGENCY_TYPES} placeholder="Choose a type" />
        <TextField name="location" label="Location" icon={MapPin} placeholder="City, state" />
      </div>
    </>
  );
}

/** A preview of the public page's contact card. */
export function ContactPreview({ form }: { form: AgencyForm }) {
  const website = form.website.trim();
  return (
    <aside className="side" aria-label="What visitors see">
      <p className="xs muted side-title">What visitors see</p>
      <div className="card contact-preview">
        <h3>Contact Information</h3>
        <ul className="stack">
          <Line icon={Mail} text={form.email.trim() || 'E-mail'} isMissing={!form.email.trim()} />
          {form.phone.trim() ? <Line icon={Phone} text={form.phone} /> : null}
          {website && isWebLink(website) ? <Line icon={Globe} text={shownAddress(website)} /> : null}
        </ul>
        <span className={whatsAppLink(form.phone) ? 'btn softp full' : 'btn disabled full'} aria-hidden="true">
          <MessageCircle className="i" />
          {whatsAppLink(form.phone) ? 'Contact via WhatsApp' : 'No WhatsApp Available'}
        </span>
      </div>
      <p className="xs muted">Without a phone number the button reads No WhatsApp Available.</p>
    </aside>
  );
}

function Line({ icon: Icon, text, isMissing }: { icon: LucideIcon; text: string; isMissing?: boolean }) {
  return (
    <li className={isMissing ? 'row num muted' : 'row num'}>
      <Icon className="i" aria-hidden="true" />
      <span className="trunc">{text}</span>
    </li>
  );
}
