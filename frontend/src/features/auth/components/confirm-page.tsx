import { useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { toast } from 'sonner';
import { Loader } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';
import { type LinkType, linkOf, type MailedLink, nextOf, QUESTIONS } from '../mailed-link';
import { follow } from '../mutations';
import { codeOf, mayWorkLater, type Refusal, refusalOf } from '../refusal';
import { RefusalBanner } from './refusal-banner';
import { FormTitle, SignInLayout } from './sign-in-layout';

type Followable = Exclude<MailedLink, { kind: 'broken' }>;

/** Where a mailed link leads: says what it will do, and does it when its button is pressed. */
export function ConfirmPage() {
  usePageTitle('One more step');
  const [query] = useSearchParams();
  // Kept from the first look: auth-js clears the address when it takes a session from there.
  const [[link, next]] = useState(() => [linkOf(query), nextOf(query)] as const);
  if (link.kind === 'broken') return <Navigate to={withQuery(accountPaths.linkExpired, { next })} replace />;
  return link.kind === 'token' ? <Ask link={link} next={next} /> : <GoOn link={link} next={next} />;
}

interface Followed {
  link: Followable;
  next: string | undefined;
}

/** Follows the link and opens what comes after it; a refusal that may pass comes back. */
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
      <div className={refusal ? '' : 'below-title'}>
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
      <p className="sm muted account-footnote">If you did not ask for this, close the page: nothing has changed.</p>
    </SignInLayout>
  );
}

/** The server used the link up already; there is nothing left to ask. */
function GoOn({ link, next }: Followed) {
  const { refusal, go } = useFollow({ link, next });
  const started = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, also when the effect runs twice
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
