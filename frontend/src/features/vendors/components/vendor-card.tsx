import { Globe, Mail, MapPin, Phone } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { buttonVariants } from '@/components/ui/button';
import { Card, cardVariants } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { Skeleton } from '@/components/ui/skeleton';
import { VerificationBadge } from '@/components/verification-badge';
import { ReportLink } from '@/features/reports/components/report-link';
import { mailTo } from '@/lib/email';
import { safeLink } from '@/lib/links';
import type { ListedVendor } from '../list-queries';

/** Vendors have no page of their own, so the card shows everything, including contact details. */
export function VendorCard({ vendor, eager }: { vendor: ListedVendor; eager: boolean }) {
  const { name, email } = vendor;
  const website = safeLink(vendor.website);
  return (
    <article
      className={cardVariants({
        className:
          'flex flex-col p-5.5 focus:outline-none focus-visible:outline-3 focus-visible:outline-ring focus-visible:outline-offset-2',
      })}
      tabIndex={-1}
      aria-label={name}
    >
      <div className="flex items-center gap-3">
        <span className="photo-edge relative grid size-13 flex-none place-items-center overflow-hidden rounded-[22%] bg-primary-soft font-bold font-display text-[24px] text-primary-soft-foreground leading-none">
          <Picture
            className="size-full object-cover"
            src={vendor.logo_url}
            alt=""
            width={52}
            height={52}
            eager={eager}
            fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
          />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-1.5 text-[20px]">
            <span className="truncate">{name}</span>
            <VerificationBadge type={vendor.badge_type} size={18} />
          </h3>
          <p className="min-h-5 truncate text-muted-foreground text-sm">{vendor.company_name}</p>
        </div>
        {vendor.type ? <Chip className="flex-none self-start">{vendor.type}</Chip> : null}
      </div>
      <p className="mt-3.5 line-clamp-3 min-h-[3lh] text-[15px]">{vendor.description}</p>
      <ul className="mt-4 mb-5 grid gap-2 text-muted-foreground text-sm *:min-w-0 [&_svg]:flex-none">
        {vendor.location ? (
          <li className="flex items-center gap-2">
            <MapPin className="size-4" aria-hidden="true" />
            <span className="truncate">{vendor.location}</span>
          </li>
        ) : null}
        <li className="flex items-center gap-2">
          <Mail className="size-4" aria-hidden="true" />
          <span className="truncate">{email}</span>
        </li>
        {vendor.phone ? (
          <li className="flex items-center gap-2 tabular-nums">
            <Phone className="size-4" aria-hidden="true" />
            <span className="truncate">{vendor.phone}</span>
          </li>
        ) : null}
      </ul>
      <div className="mt-auto flex items-center gap-2.5">
        {website ? (
          <a
            className={buttonVariants({ variant: 'outline', className: 'min-w-0 flex-1' })}
            href={website}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Globe aria-hidden="true" />
            Website<span className="sr-only"> of {name}</span>
          </a>
        ) : null}
        <a className={buttonVariants({ className: 'min-w-0 flex-1' })} href={mailTo(email)}>
          <Mail aria-hidden="true" />
          Contact<span className="sr-only"> {name}</span>
        </a>
        <ReportLink compact kind="vendor" id={vendor.id} name={name} className="-mr-2" />
      </div>
    </article>
  );
}

export function VendorCardSkeleton() {
  return (
    <Card
      className="flex flex-col p-5.5 focus:outline-none focus-visible:outline-3 focus-visible:outline-ring focus-visible:outline-offset-2"
      aria-hidden="true"
    >
      <div className="flex items-center gap-3">
        <Skeleton radius="logo" className="size-13 flex-none" />
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-1.5 text-[20px]">
            <Skeleton words className="w-[70%]" />
          </h3>
          <p className="min-h-5 text-sm">
            <Skeleton words className="w-1/2" />
          </p>
        </div>
      </div>
      <p className="mt-3.5 min-h-[3lh] text-[15px]">
        <Skeleton words />
        <Skeleton words />
        <Skeleton words className="w-3/5" />
      </p>
      <ul className="mt-4 mb-5 grid gap-2 text-sm">
        {['45%', '60%', '40%'].map((width) => (
          <li key={width}>
            <Skeleton words style={{ width }} />
          </li>
        ))}
      </ul>
      <div className="mt-auto flex items-center gap-2.5">
        <Skeleton radius="control" className="h-11 flex-1" />
      </div>
    </Card>
  );
}
