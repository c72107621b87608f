import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BadgeCheck, CalendarDays, Check, ExternalLink, Mail, MapPin, Phone, ShieldCheck, Tag } from 'lucide-react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { Avatar } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { VerificationBadge } from '@/components/verification-badge';
import { dayOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import type { Kind } from '../lists';
import { approve } from '../mutations';
import { type RecordRow, recordQuery } from '../record-queries';

/** The account's stored details. */
export function IdentityCard({ kind, row }: { kind: Kind; row: RecordRow }) {
  const influencer = kind === 'influencer';
  const facts = [
    [Mail, 'E-mail', influencer ? row.profiles?.email : row.email],
    ...(influencer ? [] : ([[Phone, 'Phone', row.phone]] as const)),
    [Tag, influencer ? 'Category' : 'Type', influencer ? row.category : row.type],
    [MapPin, 'Location', row.location],
    [BadgeCheck, 'Verified', row.badge_type === 'none' ? 'No' : 'Yes'],
    ...(influencer ? ([[ShieldCheck, 'Approved', row.approved ? 'Yes' : 'No']] as const) : []),
    [CalendarDays, 'Joined', dayOf(row.created_at)],
  ] as const;
  const publicPage =
    kind === 'influencer' ? paths.profile(row.id) : kind === 'agency' ? paths.agency(row.id) : undefined;
  return (
    <aside className={cardVariants({ className: 'self-start overflow-hidden' })}>
      <div className="h-28 overflow-hidden">
        <UbinPattern seed={row.id} columns={4} rows={1} />
      </div>
      <div className="wrap-anywhere px-6 pb-6 max-sm:px-4.5 max-sm:pb-4.5">
        <span className="relative -mt-13 block w-fit">
          <Avatar
            id={row.id}
            name={row.name}
            src={row.profile_image ?? row.logo_url}
            size={96}
            className="box-content border-5 border-card"
          />
        </span>
        <h1 className="mt-2 text-[26px]">
          {row.name} <VerificationBadge type={row.badge_type} size={24} />
        </h1>
        <p className="text-muted-foreground">{influencer ? `@${row.username}` : row.company_name}</p>
        <dl className="mt-4.5 grid gap-2.5 text-[14.5px]">
          {facts.map(([Icon, label, value]) => (
            <div className="flex items-start gap-2.5" key={label}>
              <dt className="flex w-26 flex-none items-center gap-2 text-muted-foreground">
                <Icon className="size-4.25" aria-hidden="true" />
                {label}
              </dt>
              <dd className="min-w-0 font-semibold">{value ? <Breakable text={value} /> : '-'}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-5 grid gap-3 empty:hidden">
          {influencer && !row.approved ? <ApproveButton row={row} /> : null}
          {publicPage ? (
            <Link className={buttonVariants({ variant: 'outline', full: true })} to={publicPage}>
              <ExternalLink aria-hidden="true" />
              View public profile
            </Link>
          ) : null}
        </div>
      </div>
    </aside>
  );
}

/** An e-mail address that doesn't fit breaks after the @ first. */
function Breakable({ text }: { text: string }) {
  const [name, ...rest] = text.split('@');
  if (rest.length === 0) return text;
  return (
    <>
      {name}@<wbr />
      {rest.join('@')}
    </>
  );
}

/** Approval isn't part of the form: it takes effect immediately, as in the list. */
function ApproveButton({ row }: { row: RecordRow }) {
  const client = useQueryClient();
  const { refresh } = useSession();
  const { queryKey } = recordQuery('influencer', row.id);
  const mark = (approved: boolean) => client.setQueryData(queryKey, (now) => now && { ...now, approved });
  const approval = useMutation({
    mutationFn: async () => {
      const reason = (await approve([row.id])).refused.get(row.id);
      if (reason) throw new Error(reason);
    },
    onMutate: () => mark(true),
    onSuccess: () =>
      toast.success('Influencer account approved', { description: `${row.name} now appears in search.` }),
    onError: (error) => {
      mark(false);
      toast.error('Error', { description: reasonOf(error) });
      void client.invalidateQueries({ queryKey });
      void refresh();
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['admin', 'list'] });
      void client.invalidateQueries({ queryKey: ['admin', 'counts'] });
    },
  });
  return (
    <Button variant="softp" full onClick={() => approval.mutate()} aria-label={`Approve ${row.name}`}>
      <Check aria-hidden="true" />
      Approve
    </Button>
  );
}
