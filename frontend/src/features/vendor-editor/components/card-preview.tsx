import { Globe, type LucideIcon, Mail, MapPin, Phone } from 'lucide-react';
import { z } from 'zod';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { slotSource } from '@/features/pictures/pending';
import { isWebLink } from '@/lib/web-link';
import { useVendorPictures } from '../pictures';
import type { VendorForm } from '../schema';

/** A preview of the vendor's search card, with placeholders for missing fields. */
export function CardPreview({ form, userId, isSaved }: { form: VendorForm; userId: string; isSaved: boolean }) {
  const { slots } = useVendorPictures();
  const mayContact = z.email().safeParse(form.email.trim()).success;
  const website = form.website.trim();
  return (
    <aside className="d-only card-preview" aria-label="How your card looks in search">
      <p className="xs muted">How your card looks in search</p>
      <article className="card vendor-preview">
        <div className="row" style={{ alignItems: 'flex-start' }}>
          <span className="lg">
            <Picture
              src={slotSource(slots.logo)}
              alt=""
              width={52}
              height={52}
              fallback={<UbinPattern seed={userId} columns={1} rows={1} />}
            />
          </span>
          <div className="grow" style={{ minWidth: 0 }}>
            <h3 className={form.name.trim() ? '' : 'muted'}>{form.name.trim() || 'Your Name'}</h3>
            <p className="sm muted trunc">{form.company_name.trim() || (isSaved ? '' : 'Company name')}</p>
          </div>
        </div>
        {form.type ? <span className="chip">{form.type}</span> : null}
        <p className={form.description.trim() ? 'clamp3' : 'clamp3 muted'}>
          {form.description.trim() || 'Two or three lines about what you supply.'}
        </p>
        <ul className="stack sm muted">
          <Line icon={MapPin} text={form.location.trim()} missing="Location" />
          <Line icon={Mail} text={form.email.trim()} missing="E-mail" />
          <Line icon={Phone} text={form.phone.trim()} missing="Phone" />
        </ul>
        <div className="row" aria-hidden="true">
          {website && isWebLink(website) ? (
            <span className="btn outline grow">
              <Globe className="i" />
              Website
            </span>
          ) : null}
          <span className={mayContact ? 'btn primary grow' : 'btn disabled grow'}>
            <Mail className="i" />
            Contact
          </span>
        </div>
      </article>
      <p className="xs muted note">{noteOf(isSaved, mayContact)}</p>
    </aside>
  );
}

function noteOf(isSaved: boolean, mayContact: boolean): string {
  if (!isSaved) return 'It fills in as you type. Visitors see it after the first save.';
  return mayContact ? 'Visitors see changes after you save.' : 'Contact stays off until the e-mail is valid.';
}

function Line({ icon: Icon, text, missing }: { icon: LucideIcon; text: string; missing: string }) {
  return (
    <li className="row num">
      <Icon className="i i16" aria-hidden="true" />
      <span className="trunc">{text || missing}</span>
    </li>
  );
}
