import { useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { Loader } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { accountPaths } from '@/lib/account-paths';
import { toast } from '@/lib/toast';
import { withQuery } from '@/lib/with-query';
import { type LinkType, linkOf, type MailedLink, nextOf, QUESTIONS } from '../mailed-link';
import { follow } from '../mutations';
import { codeOf, mayWorkLater, type Refusal, refusalOf } from '../refusal';
import { RefusalBanner } from './refusal-banner';
import { FormTitle, SignInLayout } from './sign-in-layout';

type Followable = Exclude<MailedLink, { kind: 'broken' }>;

/** The page an e-mailed link leads to: says what the link does, and does it when the button is pressed. */
export function ConfirmPage() {
  usePageTitle('One more step');
  const [query] = useSearchParams();
  // Read once, because auth-js clears the URL when it reads a session from it.
  const [[link, next]] = useState(() => [linkOf(query), nextOf(query)] as const);
  if (link.kind === 'broken') return <Navigate to={withQuery(accountPaths.linkExpired, { next })} replace />;
  return link.kind === 'token' ? <Ask link={link} next={next} /> : <GoOn link={link} next={next} />;
}

interface Followed {
  link: Followable;
  next: string | undefined;
}

/** Follows the link and opens the next page. Returns a temporary error as a refusal, so that the user can retry. */
function useFollow({ link, next }: Followed) {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal>();
  const type = link.kind === 'code' ? 'magiclink' : link.type;
  async function go() {
    setRefusal(undefined);
    try {
      const signedIn = await follow(link);
      navigate(placeAfter(type, signedIn, next), { replace: true });
    } catch (error) {
      if (mayWorkLater(error) || codeOf(error) === 'user_banned') {
        const refused = refusalOf(error);
        setRefusal(refused);
        toast.error(refused.title, { description: refused.text });
        return;
      }
      const known = link.kind === 'code' ? undefined : type;
      navigate(withQuery(accountPaths.linkExpired, { type: known, next }), { replace: true });
    }
  }
  return { refusal, go };
}

function placeAfter(type: LinkType, signedIn: boolean, next: string | undefined): string {
  switch (type) {
    case 'recovery':
    case 'invite':
      return withQuery(accountPaths.newPassword, { next });
    case 'email_change':
      return withQuery(accountPaths.confirmed, { what: signedIn ? 'change' : 'half', next });
    case 'signup':
      return withQuery(accountPaths.confirmed, { what: 'signup', next });
    default:
      return withQuery(accountPaths.confirmed, { what: 'sign-in', next });
  }
}

function Ask({ link, next }: Followed & { link: Extract<MailedLink, { kind: 'token' }> }) {
  const { refusal, go } = useFollow({ link, next });
  const [busy, setBusy] = useState(false);
  const question = QUESTIONS[link.type];
  return (
    <SignInLayout seed="confirm">
      <FormTitle title={question.title} text={question.text} />
      <RefusalBanner refusal={refusal} />
      <div className={refusal ? '' : 'mt-6.5'}>
        <Button
          size="large"
          full
          busy={busy}
          onClick={() => {
            setBusy(true);
            void go().finally(() => setBusy(false));
          }}
        >
          {question.action}
        </Button>
      </div>
      <p className="mt-6 border-border border-t pt-5 text-muted-foreground text-sm">
        If you didn't request this, close the page. Nothing has changed.
      </p>
    </SignInLayout>
  );
}

/** The server has already verified the link, so there is nothing left to confirm. */
function GoOn({ link, next }: Followed) {
  const { refusal, go } = useFollow({ link, next });
  const started = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, even when React runs the effect twice
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void go();
  }, []);
  return (
    <SignInLayout seed="confirm">
      {refusal ? (
        <>
          <RefusalBanner refusal={refusal} />
          <Button size="large" full onClick={() => void go()}>
            Try again
          </Button>
        </>
      ) : (
        <Loader label="Opening your link..." />
      )}
    </SignInLayout>
  );
}
