import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button, buttonVariants } from '@/components/ui/button';
import { FormTitle, SignInLayout } from '@/features/auth/components/sign-in-layout';
import { isUnreachable } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { subjectOf } from '../kinds';
import { LinkExpired, unsubscribe } from '../mutations';

/** The page that the unsubscribe link leads to. It asks for confirmation, because scanners also open links. */
export function UnsubscribePage() {
  const [query] = useSearchParams();
  // Read once: the link stays the same while the page is open.
  const [token] = useState(() => query.get('token') ?? '');
  const subject = subjectOf(query.get('kind'));
  const end = useMutation({ mutationFn: () => unsubscribe(token) });
  return (
    <SignInLayout seed="unsubscribe">
      {end.isSuccess ? (
        <div role="status">
          <FormTitle
            title="You are unsubscribed"
            text="You won’t get these e-mails anymore. You’ll still see the notifications on Serasi."
          />
        </div>
      ) : !token || end.error instanceof LinkExpired ? (
        <div role="alert">
          <FormTitle title="The link has expired" text="Sign in to choose which e-mails you get." />
        </div>
      ) : (
        <>
          <FormTitle
            title="Stop these e-mails?"
            text={
              subject
                ? `You won’t get e-mails about ${subject} anymore. You’ll still see the notifications on Serasi.`
                : 'You won’t get e-mails like this one anymore. You’ll still see the notifications on Serasi.'
            }
          />
          {end.error ? (
            <p className="mt-4 font-semibold text-destructive" role="alert">
              {isUnreachable(end.error)
                ? "Serasi isn't responding. Check your connection and try again."
                : 'Something went wrong on our side. Please try again.'}
            </p>
          ) : null}
          <div className="mt-6.5">
            <Button size="large" full busy={end.isPending} onClick={() => end.mutate()}>
              {end.isPending ? 'Unsubscribing...' : 'Unsubscribe'}
            </Button>
          </div>
        </>
      )}
      <p className="mt-6 border-border border-t pt-5">
        <Link className={buttonVariants({ variant: 'outline', full: true })} to={`${paths.notifications}#settings`}>
          Choose your e-mails
        </Link>
      </p>
    </SignInLayout>
  );
}
