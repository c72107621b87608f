import {
  Cable,
  Clapperboard,
  Globe,
  HandHelping,
  type LucideIcon,
  Mail,
  MapPin,
  Phone,
  Speaker,
  UtensilsCrossed,
} from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { VENDOR_TYPES } from '@/lib/kinds';
import type { VendorForm } from '../schema';

const { TextField } = fieldsOf<VendorForm>();

const ICONS: Record<(typeof VENDOR_TYPES)[number], LucideIcon> = {
  Equipment: Speaker,
  Services: HandHelping,
  Catering: UtensilsCrossed,
  Production: Clapperboard,
  Technical: Cable,
};

export function ContactTab() {
  return (
    <>
      <div>
        <h2>Contact & Details</h2>
        <p className="sub">Shown on your card. The Contact button writes to this e-mail.</p>
      </div>
      <div className="cols2">
        <TextField name="email" label="E-mail" required type="email" icon={Mail} autoComplete="email" />
        <TextField name="phone" label="Phone" type="tel" icon={Phone} autoComplete="tel" />
        <TextField
          name="website"
          label="Website"
          type="url"
          icon={Globe}
          placeholder="https://"
          hint="Leave empty to hide the Website button."
        />
        <TextField name="location" label="Location" icon={MapPin} placeholder="City, state" />
      </div>
      <TypeChoice />
    </>
  );
}

/** One of five types, or none: pressing the selected one again clears it. */
function TypeChoice() {
  const { watch, setValue } = useFormContext<VendorForm>();
  const chosen = watch('type');
  return (
    <fieldset className="stack choices">
      <legend className="lab">Vendor type</legend>
      <div className="row wrapf">
        {VENDOR_TYPES.map((type) => {
          const Icon = ICONS[type];
          return (
            <button
              key={type}
              type="button"
              className="btn s choice-pill"
              aria-pressed={type === chosen}
              onClick={() => setValue('type', type === chosen ? '' : type, { shouldDirty: true })}
            >
              <Icon className="i" aria-hidden="true" />
              {type}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
