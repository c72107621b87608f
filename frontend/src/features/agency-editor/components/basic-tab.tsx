import { ImageUp, Move } from 'lucide-react';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { usePlacing } from '@/features/pictures/components/placing';
import { slotSource } from '@/features/pictures/pending';
import { useAgencyPictures } from '../pictures';
import { type AgencyForm, MAX_DESCRIPTION } from '../schema';

const { TextField, TextareaField } = fieldsOf<AgencyForm>();

export function BasicTab({ userId }: { userId: string }) {
  return (
    <>
      <div>
        <h2 className="text-[24px]">Basic Info</h2>
        <p className="mt-1 text-muted-foreground">The top of your public page.</p>
      </div>
      <BannerAndLogo userId={userId} />
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <TextField name="name" label="Name" required autoComplete="organization" />
        <TextField name="company_name" label="Company name" placeholder="As registered" />
      </div>
      <TextareaField
        name="description"
        label="Description"
        rows={5}
        most={MAX_DESCRIPTION}
        hint="Appears as About the Agency."
      />
    </>
  );
}

/** Laid out as on the public page: the logo overlaps the banner's edge. */
function BannerAndLogo({ userId }: { userId: string }) {
  const { slots } = useAgencyPictures();
  const { place, placeAgain, dialog } = usePlacing(useAgencyPictures);
  const [banner, logo] = [slotSource(slots.banner), slotSource(slots.logo)];
  return (
    <div>
      <DropArea
        label="Banner"
        onFile={(file) => place('banner', 'banner', file)}
        className="photo-edge relative block h-[clamp(150px,18vw,232px)] overflow-hidden rounded-lg bg-muted"
      >
        <Picture
          className="size-full object-cover"
          src={banner}
          alt="Your banner"
          width={960}
          height={232}
          fallback={<UbinPattern seed={userId} columns={8} rows={2} />}
        />
        <div className="absolute right-3 bottom-3 z-1 flex items-center gap-2 max-sm:top-2.5 max-sm:right-2.5 max-sm:bottom-auto">
          {banner ? (
            <Button
              size="small"
              variant="photo"
              aria-label="Reposition banner"
              onClick={() => placeAgain('banner', 'banner')}
            >
              <Move aria-hidden="true" />
              <span className="max-sm:hidden">Reposition</span>
            </Button>
          ) : null}
          <FileButton label="Change banner" onFile={(file) => place('banner', 'banner', file)}>
            {(open) => (
              <Button size="small" variant="photo" onClick={open}>
                <ImageUp aria-hidden="true" />
                {banner ? 'Change banner' : 'Add banner'}
              </Button>
            )}
          </FileButton>
        </div>
      </DropArea>
      <DropArea
        label="Logo"
        pastesAll
        onFile={(file) => place('logo', 'logo', file)}
        className="relative -mt-10 flex w-fit max-w-full items-end gap-4 pl-5 max-sm:gap-2 max-sm:pl-2 max-[360px]:-mt-3"
      >
        <span className="size-28 flex-none max-sm:size-24 overflow-hidden rounded-[26px] border-5 border-card bg-card *:block *:size-full *:rounded-xl *:object-cover">
          <Picture
            src={logo}
            alt="Your logo"
            width={112}
            height={112}
            fallback={<UbinPattern seed={`${userId}-logo`} columns={1} rows={1} />}
          />
        </span>
        <div className="mb-1.5 flex flex-wrap max-[360px]:mb-0 items-center gap-2">
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
      </DropArea>
      <p className="mt-2.5 text-muted-foreground text-xs">Drop, paste or choose a picture, up to 10 MB.</p>
      {dialog}
    </div>
  );
}
