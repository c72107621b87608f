import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, EyeOff, Reply } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Avatar } from '@/components/picture';
import { Stars } from '@/components/rating';
import { TextDialog } from '@/components/text-dialog';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { ReportLink } from '@/features/reports/components/report-link';
import { dayOf } from '@/lib/dates';
import { FORMER_MEMBER } from '@/lib/former-member';
import { paths } from '@/lib/paths';
import { hideReview, replyToReview } from '../mutations';
import type { Review } from '../queries';

const REPLY_PERIOD = 28 * 24 * 60 * 60 * 1000;

/** The author. Influencers always have a profile unless it was deleted; clients may be guests or vendors. */
function authorOf({ side, influencers, agencies }: Review) {
  if (side === 'influencer') {
    return influencers
      ? {
          id: influencers.id,
          name: influencers.name,
          picture: influencers.profile_image,
          to: paths.profile(influencers.id),
        }
      : { id: 'former', name: FORMER_MEMBER, picture: null, to: undefined };
  }
  return agencies
    ? {
        id: agencies.id,
        name: agencies.company_name || agencies.name,
        picture: agencies.logo_url,
        to: paths.agency(agencies.id),
      }
    : { id: 'client', name: 'Client', picture: null, to: undefined };
}

export const canReply = (review: Review, now: number) =>
  !review.reply && now < Date.parse(review.published_at) + REPLY_PERIOD;

interface Rights {
  /** Whether the reader owns the reviewed profile. */
  owner: boolean;
  admin: boolean;
}

export function ReviewItem({ review, subject, rights }: { review: Review; subject: string; rights: Rights }) {
  const author = authorOf(review);
  return (
    <li className="flex items-start gap-4 not-first:border-border not-first:border-t py-5.5 max-sm:gap-3">
      <Avatar id={author.id} name={author.name} src={author.picture} size={48} className="flex-none" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="wrap-anywhere text-[17px]">
            {author.to ? (
              <Link className="underline decoration-input underline-offset-3" to={author.to}>
                {author.name}
              </Link>
            ) : (
              author.name
            )}
          </h3>
          <Stars rating={review.rating} />
          <time className="text-muted-foreground text-sm" dateTime={review.published_at}>
            {dayOf(review.published_at)}
          </time>
        </div>
        <p className="wrap-anywhere mt-2 max-w-[68ch] whitespace-pre-line leading-[1.6]">{review.text}</p>
        <PaidOnTime value={review.paid_on_time} />
        {review.reply ? (
          <div className="mt-4 border-primary border-l-3 pl-4">
            <h4 className="font-semibold text-sm">Reply from {subject}</h4>
            <p className="wrap-anywhere mt-1 max-w-[64ch] whitespace-pre-line leading-[1.6]">{review.reply}</p>
          </div>
        ) : null}
        <div className="mt-3 flex flex-wrap items-center gap-2 print:hidden">
          <ReviewActions review={review} rights={rights} />
          <ReportLink kind="review" id={review.id} name={`the review by ${author.name}`} className="-ml-3" />
        </div>
      </div>
    </li>
  );
}

function PaidOnTime({ value }: { value: boolean | null }) {
  if (value === null) return null;
  const Icon = value ? CircleCheck : CircleX;
  return (
    <p className="mt-2.5">
      <Chip size="small" tone={value ? 'green' : 'amber'}>
        <Icon aria-hidden="true" />
        {value ? 'Paid on time' : 'Not paid on time'}
      </Chip>
    </p>
  );
}

function ReviewActions({ review, rights }: { review: Review; rights: Rights }) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'reply' | 'hide'>();
  const mayReply = rights.owner && canReply(review, Date.now());
  if (!mayReply && !rights.admin) return null;
  const dialog = {
    onClose: () => setOpen(undefined),
    onDone: () => {
      setOpen(undefined);
      void client.invalidateQueries({ queryKey: ['reviews'] });
    },
  };
  return (
    <div className="flex gap-2">
      {mayReply ? (
        <Button variant="outline" size="small" onClick={() => setOpen('reply')}>
          <Reply aria-hidden="true" />
          Reply
        </Button>
      ) : null}
      {rights.admin ? (
        <Button variant="dangerghost" size="small" onClick={() => setOpen('hide')}>
          <EyeOff aria-hidden="true" />
          Hide
        </Button>
      ) : null}
      {open === 'reply' ? (
        <TextDialog
          title="Reply to this review"
          description="Anyone can read your reply. You can't change it once you've sent it."
          label="Reply"
          most={1000}
          action="Send reply"
          busyAction="Sending..."
          send={(text) => replyToReview(review.id, text)}
          done="Reply sent"
          failed="Failed to send the reply"
          {...dialog}
        />
      ) : null}
      {open === 'hide' ? (
        <TextDialog
          title="Hide this review?"
          description="Only its author and admins will see it. The reason is saved in the audit log."
          label="Reason"
          most={500}
          action="Hide review"
          busyAction="Hiding..."
          danger
          send={(reason) => hideReview(review.id, reason)}
          done="Review hidden"
          failed="Failed to hide the review"
          {...dialog}
        />
      ) : null}
    </div>
  );
}
