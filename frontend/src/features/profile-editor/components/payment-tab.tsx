import { clsx } from 'clsx';
import { Landmark, Layers, type LucideIcon, Mail } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { choiceVariants } from '@/components/ui/choice';
import { PAYMENT_METHODS } from '../choices';
import { TextareaField, TextField } from '../fields';
import type { ProfileForm } from '../schema';

const ICONS: Record<(typeof PAYMENT_METHODS)[number]['value'], LucideIcon> = {
  bank: Landmark,
  paypal: Mail,
  both: Layers,
};

/** Shows the bank fields for bank or both, and the PayPal address for PayPal or both. */
export function PaymentTab() {
  const { register, watch } = useFormContext<ProfileForm>();
  const method = watch('payment.payment_method');
  return (
    <>
      <div>
        <h2 className="text-[24px]">Payment</h2>
        <p className="mt-1 text-muted-foreground">Only you can see this.</p>
      </div>
      <fieldset className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(min(100%,5.2em),1fr))] gap-3">
        <legend className="sr-only">Payment method</legend>
        {PAYMENT_METHODS.map(({ value, label }) => {
          const Icon = ICONS[value];
          return (
            <label
              key={value}
              className={choiceVariants({
                look: 'tile',
                chosen: value === method,
                className: clsx(
                  'cursor-pointer gap-2 px-2 py-4.5 leading-tight',
                  value === method && 'text-primary-soft-foreground',
                ),
              })}
            >
              <input type="radio" className="sr-only" value={value} {...register('payment.payment_method')} />
              <Icon className="size-6" aria-hidden="true" />
              <b>{label}</b>
            </label>
          );
        })}
      </fieldset>
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        {method === 'paypal' ? null : (
          <>
            <TextField name="payment.bank_name" label="Bank name" />
            <TextField name="payment.account_holder" label="Account holder" />
            <TextField name="payment.account_number" label="Account number" />
          </>
        )}
        {method === 'bank' ? null : <TextField name="payment.paypal_email" label="PayPal e-mail" type="email" />}
      </div>
      <TextareaField
        name="payment.payment_notes"
        label="Payment notes"
        rows={3}
        placeholder="Invoice details, SST number, payment terms"
      />
    </>
  );
}
