import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';
import type { Sent } from '../mutations';
import type { Recipient } from '../queries';
import { allowanceText } from '../wording';

/** What happens next: the influencer answers, or the sender confirms first. */
export function SentNotice(props: { answer: Sent; email: string; recipients: Recipient[]; back: string }) {
  const { answer, recipients } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const unconfirmed = answer.enquiries.some(({ state }) => state === 'unconfirmed');
  const [first] = recipients;
  const who = recipients.length === 1 && first ? first.name : `${recipients.length} influencers`;
  const [enquiry] = answer.enquiries;
  return (
    <Card className="mx-auto mt-6 grid max-w-160 justify-items-center gap-3 text-center" padded>
      <svg className="mt-4 size-30" viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="60" fill="var(--muted)" />
        <path d="M58 32A28 28 0 0 0 58 88Z" fill="var(--primary)" />
        <path d="M62 32A28 28 0 0 1 62 88Z" fill="var(--coral)" />
      </svg>
      <h1 ref={heading} tabIndex={-1} className="wrap-anywhere text-[30px] outline-none">
        {unconfirmed ? 'Check your e-mail' : 'Enquiry sent'}
      </h1>
      <p className="wrap-anywhere max-w-[46ch] text-[17px] text-muted-foreground">
        {unconfirmed ? (
          <>
            We sent a link to {props.email ? <b>{props.email}</b> : 'your address'}. Open it and confirm to send your
            brief to {who}.
          </>
        ) : (
          <>We sent your brief to {who}. We’ll e-mail you when you get an answer.</>
        )}
      </p>
      {answer.remaining === undefined ? null : <p className="text-sm">{allowanceText(answer.remaining)}</p>}
      <div className="mt-3 mb-4 flex flex-wrap justify-center gap-3">
        {unconfirmed || !enquiry ? null : (
          <Link
            className={buttonVariants()}
            to={answer.enquiries.length === 1 ? paths.enquiry(enquiry.id) : `${paths.enquiries}?box=sent`}
          >
            {answer.enquiries.length === 1 ? 'See the enquiry' : 'See the enquiries'}
          </Link>
        )}
        <Link className={buttonVariants({ variant: 'outline' })} to={props.back}>
          {recipients.length === 1 ? 'Back to the profile' : 'Back to Favorites'}
        </Link>
      </div>
    </Card>
  );
}
