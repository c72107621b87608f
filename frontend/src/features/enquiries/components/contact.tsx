import { Mail } from 'lucide-react';
import { Banner } from '@/components/ui/banner';
import { buttonVariants } from '@/components/ui/button';
import { mailTo } from '@/lib/email';

/** After an enquiry was accepted, both parties see each other's address. */
export function Contact({ name, email }: { name: string; email: string }) {
  return (
    <Banner
      tone="green"
      icon={Mail}
      title="You can write to each other now"
      className="max-sm:flex-wrap"
      actions={
        <a className={buttonVariants({ size: 'small' })} href={mailTo(email)}>
          Write an e-mail
        </a>
      }
    >
      <p>
        {name}: <span className="font-semibold">{email}</span>
      </p>
    </Banner>
  );
}
