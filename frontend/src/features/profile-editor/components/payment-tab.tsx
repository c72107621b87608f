import { Landmark, Layers, type LucideIcon, Mail } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
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
        <h2>Payment</h2>
        <p className="sub">Only used to pay you. Never shown on your profile.</p>
      </div>
      <fieldset className="methods">
        <legend className="sr">Payment method</legend>
        {PAYMENT_METHODS.map(({ value, label }) => {
          const Icon = ICONS[value];
          return (
            <label key={value} className={value === method ? 'method on' : 'method'}>
              <input type="radio" className="sr" value={value} {...register('payment.payment_method')} />
              <Icon className="i i24" aria-hidden="true" />
              <b>{label}</b>
            </label>
          );
        })}
      </fieldset>
      <div className="cols2">
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
