import { Globe, type LucideIcon, Mail, MapPin, MessageCircle, Phone } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { usePhoneHint } from '@/hooks/use-phone-hint';
import { AGENCY_TYPES } from '@/lib/kinds';
import { shownAddress, whatsAppLink } from '@/lib/links';
import { isWebLink, withScheme } from '@/lib/web-link';
import type { AgencyForm } from '../schema';

const { TextField, SelectField } = fieldsOf<AgencyForm>();

export function ContactTab() {
  return (
    <>
      <div>
        <h2 className="text-[24px]">Contact & Details</h2>
        <p className="mt-1 text-muted-foreground">How brands and creators reach you.</p>
      </div>
      <TextField name="email" label="E-mail" required type="email" icon={Mail} autoComplete="email" />
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
        <TextField
          name="phone"
          label="Phone"
          type="tel"
          icon={Phone}
          autoComplete="tel"
          hint={usePhoneHint(useWatch<AgencyForm, 'phone'>({ name: 'phone' }))}
        />
        <TextField name="website" label="Website" type="url" icon={Globe} placeholder="https://" />
        <SelectField name="type" label="Agency type" options={AGENCY_TYPES} none="No type" />
        <TextField name="location" label="Location" icon={MapPin} placeholder="City, state" />
      </div>
    </>
  );
}

/** A preview of the public page's contact card. */
export function ContactPreview({ form }: { form: AgencyForm }) {
  const website = withScheme(form.website.trim());

  return (
    <aside
      className="border-border border-t bg-muted/40 p-6 max-sm:p-4.5 lg:rounded-tr-xl lg:border-border lg:border-t-0 lg:border-l"
      aria-label="What visitors see"
    >
      <p className="mb-2 font-semibold text-muted-foreground text-xs">What visitors see</p>
      <Card className="p-5">
        <h3 className="text-[19px]">Contact Information</h3>
        <ul className="mt-2.5 mb-4 grid grid-cols-1">
          <Line icon={Mail} text={form.email.trim() || 'E-mail'} isMissing={!form.email.trim()} />
          {form.phone.trim() ? <Line icon={Phone} text={form.phone} /> : null}
          {website && isWebLink(website) ? <Line icon={Globe} text={shownAddress(website)} /> : null}
        </ul>
        <span
          className={buttonVariants({ variant: whatsAppLink(form.phone) ? 'softp' : 'disabled', full: true })}
          aria-hidden="true"
        >
          <MessageCircle />
          {whatsAppLink(form.phone) ? 'Contact via WhatsApp' : 'No WhatsApp Available'}
        </span>
      </Card>
      <p className="mt-3 text-muted-foreground text-xs">
        Without a phone number the button reads No WhatsApp Available.
      </p>
    </aside>
  );
}

function Line({ icon: Icon, text, isMissing }: { icon: LucideIcon; text: string; isMissing?: boolean }) {
  return (
    <li
      className={
        isMissing
          ? 'flex min-h-10.5 items-center gap-3 text-muted-foreground tabular-nums'
          : 'flex min-h-10.5 items-center gap-3 tabular-nums'
      }
    >
      <Icon aria-hidden="true" />
      <span className="min-w-0 truncate">{text}</span>
    </li>
  );
}
