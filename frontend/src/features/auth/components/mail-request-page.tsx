import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation, useSearchParams } from 'react-router';
import { Button } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { accountPaths } from '@/lib/account-paths';
import { toast } from '@/lib/toast';
import { withQuery } from '@/lib/with-query';
import { type MailKind, requestMail } from '../mutations';
import { type Login, loginNamed } from '../portals';
import { type Refusal, refusalOf } from '../refusal';
import { type Address, address, firstFault } from '../schema';
import { EmailField } from './account-fields';
import { MailSent } from './mail-sent';
import { RefusalBanner } from './refusal-banner';
import { FormTitle, SignInLayout } from './sign-in-layout';

/** The texts for requesting an e-mail. The result is the same whether the account exists or not. */
interface Request {
  pageTitle: string;
  title: string;
  text: string;
  action: string;
  sent: (email: ReactNode) => ReactNode;
}

const REQUESTS: Record<MailKind, Request> = {
  recovery: {
    pageTitle: 'Forgot password',
    title: 'Forgot your password?',
    text: "Enter the e-mail of your account. We'll send a link to set a new one.",
    action: 'Send link',
    sent: (email) => (
      <>If there is an account for {email}, a link to set a new password is on its way. It works once.</>
    ),
  },
  signup: {
    pageTitle: 'Confirm your e-mail',
    title: 'Confirm your e-mail',
    text: "Enter the e-mail of your account. We'll send the confirmation again.",
    action: 'Send link',
    sent: (email) => (
      <>If there is an account for {email} that is not confirmed yet, a link to confirm it is on its way.</>
    ),
  },
  email_change: {
    pageTitle: 'Change your e-mail',
    title: 'Change your e-mail',
    text: "Enter the e-mail you sign in with now. We'll send the links again.",
    action: 'Send links',
    sent: (email) => (
      <>If the account for {email} has a pending e-mail change, links to both addresses are on their way.</>
    ),
  },
};

export function MailRequestPage({ kind }: { kind: MailKind }) {
  const request = REQUESTS[kind];
  const [query] = useSearchParams();
  const { state } = useLocation();
  const login = loginNamed(query.get('portal'));
  const [sentTo, setSentTo] = useState<string>();
  const [refusal, setRefusal] = useState<Refusal>();
  const form = useForm<Address>({
    resolver: firstFault(address),
    defaultValues: { email: typeof state?.email === 'string' ? state.email : '' },
  });
  usePageTitle(sentTo ? 'Check your e-mail' : request.pageTitle);

  async function send({ email }: Address) {
    setRefusal(undefined);
    try {
      await requestMail(kind, email, login.dashboard);
      setSentTo(email);
    } catch (error) {
      const next = refusalOf(error);
      setRefusal(next);
      toast.error(next.title, { description: next.text });
    }
  }
  const { errors, isSubmitting } = form.formState;
  return (
    <SignInLayout seed={login.name} staff={login.name === 'admin'} back={{ name: 'Back to Sign In', to: login.signIn }}>
      {sentTo ? (
        <MailSent
          text={request.sent(<b className="text-foreground">{sentTo}</b>)}
          refusal={refusal}
          busy={isSubmitting}
          onAgain={form.handleSubmit(send)}
          onOther={() => {
            setRefusal(undefined);
            setSentTo(undefined);
          }}
        />
      ) : (
        <>
          <FormTitle title={request.title} text={request.text} />
          <RefusalBanner refusal={refusal} />
          <form
            className={refusal ? 'grid gap-4.5' : 'mt-6.5 grid gap-4.5'}
            onSubmit={form.handleSubmit(send)}
            noValidate
          >
            <EmailField field={form.register('email')} error={errors.email?.message} required />
            <Button type="submit" size="large" full busy={isSubmitting}>
              {isSubmitting ? 'Sending...' : request.action}
            </Button>
          </form>
          {kind === 'recovery' ? <FirstConfirm login={login} /> : null}
        </>
      )}
    </SignInLayout>
  );
}

function FirstConfirm({ login }: { login: Login }) {
  return (
    <p className="mt-6 border-border border-t pt-5 text-muted-foreground text-sm">
      Vendors must confirm their e-mail before they can sign in. If you haven't yet,{' '}
      <Link
        className="font-semibold text-foreground underline underline-offset-3"
        to={withQuery(accountPaths.sendConfirmation, { portal: login.name })}
      >
        send the confirmation again
      </Link>
      .
    </p>
  );
}
