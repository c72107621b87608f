import { useMutation, useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useSession } from '@/app/session';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { toast } from '@/lib/toast';
import { requestMail } from '../mutations';
import { addressProvedQuery } from '../queries';

/** For accounts that signed in without confirming their address. `leadsTo` is the page after the mailed link. */
export function ConfirmEmail({ userId, leadsTo }: { userId: string; leadsTo: string }) {
  const email = useSession().account?.email ?? '';
  const { data: isProved } = useQuery(addressProvedQuery(userId));
  const mail = useMutation({
    mutationFn: () => requestMail('signup', email, leadsTo),
    onError: () => toast.error('The e-mail could not be sent. Please try again.'),
  });
  if (isProved !== false) return null;
  return (
    <Banner
      icon={MailCheck}
      title="Confirm your e-mail"
      role="status"
      className="max-sm:flex-wrap max-sm:[&>button]:basis-full"
      actions={
        <Button busy={mail.isPending} disabled={mail.isSuccess} onClick={() => mail.mutate()}>
          Send the link
        </Button>
      }
    >
      <p>
        {mail.isSuccess
          ? `We sent a link to ${email}. Open it to confirm your address.`
          : "Until then, you can't apply for gigs, write reviews or report, and your enquiries wait."}
      </p>
    </Banner>
  );
}
