import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { buttonVariants } from '@/components/ui/button';
import { dayOf } from '@/lib/dates';
import { paths } from '@/lib/paths';

/** The page around a review form. */
export function ReviewFrame(props: { title: string; text: string; children: ReactNode }) {
  return (
    <main className="wrap">
      <div className="mx-auto max-w-170 pt-10 pb-6">
        <h1 className="wrap-anywhere text-[34px] leading-[1.08] lg:text-[44px]">{props.title}</h1>
        <p className="wrap-anywhere mt-2 text-[17px] text-muted-foreground">{props.text}</p>
      </div>
      <div className="mx-auto max-w-170">{props.children}</div>
    </main>
  );
}

/** Why there is no form. */
export function NoReview(props: { title: string; text: string; guest?: boolean; children?: ReactNode }) {
  return (
    <main className="wrap pt-10">
      <EmptyState level="h1" title={props.title} text={props.text}>
        {props.children}
        {props.guest ? (
          <Link className={buttonVariants({ variant: 'outline' })} to={paths.home}>
            Back to Explore
          </Link>
        ) : (
          <Link className={buttonVariants({ variant: 'outline' })} to={paths.collaborations}>
            Your collaborations
          </Link>
        )}
      </EmptyState>
    </main>
  );
}

interface Reviewable {
  state: string | null;
  reviewed: boolean;
  review_until: string | null;
}

/** The notice in place of the form, if a review can't be written now. */
export function noticeOf(work: Reviewable, partner: string, now: number) {
  if (work.state === 'cancelled') {
    return { title: 'This collaboration was cancelled', text: 'Only completed work can be reviewed.' };
  }
  if (work.reviewed) {
    const until = work.review_until && now < Date.parse(work.review_until) ? dayOf(work.review_until) : undefined;
    return {
      title: 'Thank you for your review',
      text: until ? `It’s published once ${partner} has also written one, or on ${until}.` : 'It’s published.',
    };
  }
  if (work.review_until && now >= Date.parse(work.review_until)) {
    return {
      title: 'The review period has ended',
      text: 'Reviews can be written within 14 days of completion.',
    };
  }
  return undefined;
}
