import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '@/app/session';
import { NeverPay } from '@/components/never-pay';
import { Avatar } from '@/components/picture';
import { Banner } from '@/components/ui/banner';
import type { Sent } from '../mutations';
import { allowanceQuery, enquiriesKey, type Recipient } from '../queries';
import { allowanceText } from '../wording';
import { BriefFields } from './brief-fields';
import { SentNotice } from './sent-notice';

/** The recipients and the form; after sending, what happens next. `left` saved profiles are no longer available. */
export function BriefPage(props: { recipients: Recipient[]; left: number; back: string }) {
  const { account } = useSession();
  const client = useQueryClient();
  const [sent, setSent] = useState<{ answer: Sent; email: string }>();
  const allowance = useQuery({ ...allowanceQuery(account?.id ?? ''), enabled: Boolean(account) });
  // The server would reject the whole brief.
  const recipients = props.recipients.filter(({ user_id }) => !account || user_id !== account.id);
  const [first] = recipients;
  if (sent) return <SentNotice {...sent} recipients={recipients} back={props.back} />;
  const title = recipients.length > 1 ? 'Send one brief to all' : first ? `Write to ${first.name}` : 'Enquire';
  return (
    <div className="mt-4 grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div>
        <h1 className="wrap-anywhere text-[34px] leading-[1.08]">{title}</h1>
        <p className="mt-2 max-w-[60ch] text-[16px] text-muted-foreground">
          You get one answer within 7 days. Your e-mail address is only shown once the enquiry is accepted.
        </p>
        {recipients.length === 0 ? (
          <Banner tone="blue" icon={Info} title="This is your own profile" className="mt-6">
            <p>You can’t send an enquiry to yourself.</p>
          </Banner>
        ) : (
          <BriefFields
            to={recipients.map(({ id }) => id)}
            blocked={allowance.data === 0}
            onSent={(answer, email) => {
              setSent({ answer, email });
              window.scrollTo(0, 0);
              if (account) void client.invalidateQueries({ queryKey: enquiriesKey(account.id) });
            }}
          />
        )}
      </div>
      <aside className="grid gap-4 max-lg:row-start-2" aria-label="About this enquiry">
        {recipients.length > 0 ? <Recipients recipients={recipients} left={props.left} /> : null}
        {allowance.data === undefined ? null : (
          <p className="px-1 font-semibold text-sm" role="status">
            {allowanceText(allowance.data)}
          </p>
        )}
        <NeverPay />
      </aside>
    </div>
  );
}

function Recipients({ recipients, left }: { recipients: Recipient[]; left: number }) {
  return (
    <section className="rounded-xl bg-card p-5 ring ring-border" aria-labelledby="recipients">
      <h2 id="recipients" className="text-[17px]">
        {recipients.length === 1 ? 'Goes to' : `Goes to ${recipients.length} influencers`}
      </h2>
      <ul className="mt-3 grid gap-3">
        {recipients.map(({ id, name, username, profile_image }) => (
          <li key={id} className="flex min-w-0 items-center gap-3">
            <Avatar id={id} name={name} src={profile_image} size={44} />
            <span className="min-w-0">
              <b className="block truncate">{name}</b>
              <span className="block truncate text-muted-foreground text-sm">@{username}</span>
            </span>
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className="mt-3 text-muted-foreground text-sm">
          {left} saved {left === 1 ? 'profile is' : 'profiles are'} no longer listed.
        </p>
      ) : null}
    </section>
  );
}
