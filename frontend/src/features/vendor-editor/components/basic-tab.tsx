import { ImageUp, Move } from 'lucide-react';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { usePlacing } from '@/features/pictures/components/placing';
import { slotSource } from '@/features/pictures/pending';
import { useVendorPictures } from '../pictures';
import { MAX_DESCRIPTION, type VendorForm } from '../schema';

const { TextField, TextareaField } = fieldsOf<VendorForm>();

export function BasicTab({ userId }: { userId: string }) {
  return (
    <>
      <div>
        <h2 className="text-[24px]">Basic Info</h2>
        <p className="mt-1 text-muted-foreground">Who you are and what you supply.</p>
      </div>
      <Logo userId={userId} />
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <TextField name="name" label="Name" required autoComplete="organization" placeholder="Tandu Sound" />
        <TextField name="company_name" label="Company name" placeholder="As registered" />
      </div>
      <TextareaField
        name="description"
        label="Description"
        rows={5}
        most={MAX_DESCRIPTION}
        hint="Cards show the first three lines."
      />
    </>
  );
}

function Logo({ userId }: { userId: string }) {
  const { slots } = useVendorPictures();
  const { place, placeAgain, dialog } = usePlacing(useVendorPictures);
  const logo = slotSource(slots.logo);
  return (
    <DropArea
      label="Logo"
      pastesAll
      onFile={(file) => place('logo', 'logo', file)}
      className="flex flex-wrap items-center gap-4.5"
    >
      <span className="size-24 flex-none overflow-hidden rounded-[22%] ring ring-border">
        <Picture
          className="size-full object-cover"
          src={logo}
          alt="Your logo"
          width={96}
          height={96}
          fallback={<UbinPattern seed={userId} columns={1} rows={1} />}
        />
      </span>
      <div className="grid justify-items-start gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <FileButton label="Change logo" onFile={(file) => place('logo', 'logo', file)}>
            {(open) => (
              <Button variant="outline" size="small" onClick={open}>
                <ImageUp aria-hidden="true" />
                {logo ? 'Change logo' : 'Add logo'}
              </Button>
            )}
          </FileButton>
          {logo ? (
            <Button
              variant="ghost"
              size="small"
              aria-label="Reposition logo"
              onClick={() => placeAgain('logo', 'logo')}
            >
              <Move aria-hidden="true" />
              <span className="max-sm:hidden">Reposition</span>
            </Button>
          ) : null}
        </div>
        <p className="text-muted-foreground text-xs">
          {logo ? 'Square works best.' : 'Square works best. Without a logo, your card shows a tile pattern.'}
        </p>
      </div>
      {dialog}
    </DropArea>
  );
}
