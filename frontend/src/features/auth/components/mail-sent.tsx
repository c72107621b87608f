import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import type { Refusal } from '../refusal';
import { useCountdown } from '../use-countdown';
import { AccountNotice } from './account-notice';
import { SealedEnvelope } from './mail-drawings';
import { RefusalBanner } from './refusal-banner';

/** The server's minimum interval, counted here, so that it is the same for every address. */
const SECONDS_BETWEEN_MAILS = 60;

export function MailSent(props: {
  text: ReactNode;
  refusal: Refusal | undefined;
  busy: boolean;
  onAgain: () => Promise<void>;
  onOther: () => void;
}) {
  const [seconds, restart] = useCountdown(SECONDS_BETWEEN_MAILS);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <>
      <AccountNotice role="status" drawing={<SealedEnvelope />} title="Check your e-mail" text={props.text}>
        <Button
          variant={seconds > 0 ? undefined : 'outline'}
          full
          busy={props.busy}
          disabled={seconds > 0}
          onClick={() => void props.onAgain().then(restart)}
        >
          <span className="tabular-nums">{seconds > 0 ? `Send again in ${clock}` : 'Send again'}</span>
        </Button>
        <Button variant="ghost" full onClick={props.onOther}>
          Use another e-mail
        </Button>
      </AccountNotice>
      <RefusalBanner refusal={props.refusal} />
      <p className="mt-6 border-border border-t pt-5 text-muted-foreground text-sm">
        No e-mail after a few minutes? Check your spam folder.
      </p>
    </>
  );
}
