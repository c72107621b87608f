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
        <h2>Basic Info</h2>
        <p className="sub">The head of your public page.</p>
      </div>
      <BannerAndLogo userId={userId} />
      <div className="cols2">
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
      <DropArea label="Banner" onFile={(file) => place('banner', 'banner', file)} className="shot banner-frame">
        <Picture
          src={banner}
          alt="Your banner"
          width={960}
          height={232}
          fallback={<UbinPattern seed={userId} columns={8} rows={2} />}
        />
        <div className="row onb">
          {banner ? (
            <button
              type="button"
              className="btn s onphoto"
              aria-label="Reposition banner"
              onClick={() => placeAgain('banner', 'banner')}
            >
              <Move className="i" aria-hidden="true" />
              <span className="m-hide">Reposition</span>
            </button>
          ) : null}
          <FileButton label="Change banner" onFile={(file) => place('banner', 'banner', file)}>
            {(open) => (
              <button type="button" className="btn s onphoto" onClick={open}>
                <ImageUp className="i" aria-hidden="true" />
                {banner ? 'Change banner' : 'Add banner'}
              </button>
            )}
          </FileButton>
        </div>
      </DropArea>
      <DropArea label="Logo" pastesAll onFile={(file) => place('logo', 'logo', file)} className="row logo-row">
        <span className="logo-frame">
          <Picture
            src={logo}
            alt="Your logo"
            width={112}
            height={112}
            fallback={<UbinPattern seed={`${userId}-logo`} columns={1} rows={1} />}
          />
        </span>
        <div className="row">
          <FileButton label="Change logo" onFile={(file) => place('logo', 'logo', file)}>
            {(open) => (
              <Button variant="outline" size="small" onClick={open}>
                <ImageUp className="i" aria-hidden="true" />
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
              <Move className="i" aria-hidden="true" />
              <span className="m-hide">Reposition</span>
            </Button>
          ) : null}
        </div>
      </DropArea>
      <p className="hint pictures-hint">Drop, paste or choose a picture, up to 10 MB.</p>
      {dialog}
    </div>
  );
}
