import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { SubscribeButton } from '@/components/layout/footer';
import { inputVariants } from '@/components/ui/input-variants';
import { isEmail } from '@/lib/email';
import { INVALID_ADDRESS, refusalOf, subscribe } from './mutations';

export function NewsletterForm() {
  const [fault, setFault] = useState<string>();
  const message = useId();
  const save = useMutation({
    mutationFn: subscribe,
    onError: (error) => setFault(refusalOf(error)),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    if (!isEmail(email)) {
      setFault(INVALID_ADDRESS);
      return;
    }
    setFault(undefined);
    save.mutate(email);
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className={inputVariants({ look: 'footer', size: 'footer' })}>
        <input
          name="email"
          type="email"
          autoComplete="email"
          placeholder="Enter your e-mail"
          aria-label="E-mail"
          aria-invalid={Boolean(fault)}
          aria-describedby={message}
        />
        <SubscribeButton busy={save.isPending} />
      </div>
      <p id={message} role="status" className="mt-3 min-h-5 max-w-[30ch] text-footer-muted text-sm">
        {fault ?? (save.isSuccess ? 'Thanks for subscribing!' : '')}
      </p>
    </form>
  );
}
