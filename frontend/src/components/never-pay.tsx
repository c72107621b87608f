import { clsx } from 'clsx';
import { ShieldAlert } from 'lucide-react';

/** A warning against advance-fee fraud, for every gig and every enquiry. */
export function NeverPay({ className }: { className?: string }) {
  return (
    <p
      className={clsx('flex items-start gap-2.5 rounded-lg bg-info-soft px-4 py-3 text-[14.5px] text-info', className)}
    >
      <ShieldAlert className="mt-0.5 size-4.5 flex-none" aria-hidden="true" />
      <span className="wrap-anywhere min-w-0">
        <b>Never pay to get work.</b> Serasi and honest clients never ask for a deposit, a fee or your banking password.
      </span>
    </p>
  );
}
