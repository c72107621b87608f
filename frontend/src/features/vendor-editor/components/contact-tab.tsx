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
import { Button } from '@/components/ui/button';
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
        <h2 className="text-[24px]">Contact & Details</h2>
        <p className="mt-1 text-muted-foreground">Shown on your card. The Contact button writes to this e-mail.</p>
      </div>
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
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
    <fieldset className="grid gap-2" data-field="type">
      <legend className="mb-2 font-semibold text-sm">Vendor type</legend>
      <div className="flex flex-wrap items-center gap-2">
        {VENDOR_TYPES.map((type) => {
          const Icon = ICONS[type];
          return (
            <Button
              key={type}
              variant="choice"
              size="pill"
              aria-pressed={type === chosen}
              onClick={() => setValue('type', type === chosen ? '' : type, { shouldDirty: true })}
            >
              <Icon aria-hidden="true" />
              {type}
            </Button>
          );
        })}
      </div>
    </fieldset>
  );
}
