import { Globe, type LucideIcon, Mail, MapPin, Phone } from 'lucide-react';
import { z } from 'zod';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { slotSource } from '@/features/pictures/pending';
import { isWebLink, withScheme } from '@/lib/web-link';
import { useVendorPictures } from '../pictures';
import type { VendorForm } from '../schema';

/** A preview of the vendor's search card, with placeholders for missing fields. */
export function CardPreview({ form, userId, isSaved }: { form: VendorForm; userId: string; isSaved: boolean }) {
  const { slots } = useVendorPictures();
  const mayContact = z.email().safeParse(form.email.trim()).success;
  const website = form.website.trim();
  return (
    <aside className="sticky top-6 self-start max-lg:hidden" aria-label="How your card looks in search">
      <p className="mb-2 font-semibold text-muted-foreground text-xs">How your card looks in search</p>
      <article className={cardVariants({ className: 'flex flex-col p-5' })}>
        <div className="flex items-start gap-3">
          <span className="photo-edge relative size-13 flex-none overflow-hidden rounded-[22%]">
            <Picture
              className="size-full object-cover"
              src={slotSource(slots.logo)}
              alt=""
              width={52}
              height={52}
              fallback={<UbinPattern seed={userId} columns={1} rows={1} />}
            />
          </span>
          <div className="min-w-0 flex-1">
            <h3
              className={
                form.name.trim() ? 'wrap-anywhere text-[19px]' : 'wrap-anywhere text-[19px] text-muted-foreground'
              }
            >
              {form.name.trim() || 'Your Name'}
            </h3>
            <p className="min-w-0 truncate text-muted-foreground text-sm">
              {form.company_name.trim() || (isSaved ? '' : 'Company name')}
            </p>
          </div>
        </div>
        {form.type ? <Chip className="mt-3 self-start">{form.type}</Chip> : null}
        <p
          className={
            form.description.trim()
              ? 'wrap-anywhere mt-3 line-clamp-3 text-[15px]'
              : 'wrap-anywhere mt-3 line-clamp-3 text-[15px] text-muted-foreground'
          }
        >
          {form.description.trim() || 'Two or three lines about what you supply.'}
        </p>
        <ul className="mt-3.5 mb-4.5 grid grid-cols-1 gap-2 text-muted-foreground text-sm">
          <Line icon={MapPin} text={form.location.trim()} missing="Location" />
          <Line icon={Mail} text={form.email.trim()} missing="E-mail" />
          <Line icon={Phone} text={form.phone.trim()} missing="Phone" />
        </ul>
        <div className="flex items-center gap-2.5" aria-hidden="true">
          {website && isWebLink(withScheme(website)) ? (
            <span className={buttonVariants({ variant: 'outline', className: 'min-w-0 flex-1' })}>
              <Globe />
              Website
            </span>
          ) : null}
          <span
            data-disabled={!mayContact}
            className={buttonVariants({ variant: mayContact ? 'primary' : 'disabled', className: 'min-w-0 flex-1' })}
          >
            <Mail />
            Contact
          </span>
        </div>
      </article>
      <p className="mt-2.5 mb-2 font-normal text-muted-foreground text-xs">{noteOf(isSaved, mayContact)}</p>
    </aside>
  );
}

function noteOf(isSaved: boolean, mayContact: boolean): string {
  if (!isSaved) return 'The preview updates as you type. Visitors see your card after the first save.';
  return mayContact
    ? 'Visitors see changes after you save.'
    : 'The Contact button is disabled until the e-mail is valid.';
}

function Line({ icon: Icon, text, missing }: { icon: LucideIcon; text: string; missing: string }) {
  return (
    <li className="flex items-center gap-2 tabular-nums">
      <Icon className="size-4" aria-hidden="true" />
      <span className="min-w-0 truncate">{text || missing}</span>
    </li>
  );
}
