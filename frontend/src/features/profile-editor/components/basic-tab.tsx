import { AtSign, Camera, ImageUp, MapPin } from 'lucide-react';
import { useState } from 'react';
import { firstLetter, Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { ETHNICITIES } from '@/lib/ethnicities';
import { LANGUAGES } from '@/lib/languages';
import { CATEGORIES, MAX_BIO, RELIGIONS } from '../choices';
import { slotSource, usePictures } from '../pictures';
import { BirthDateField } from './birth-date-field';
import { CropDialog, type CropShape } from './crop-dialog';
import { FileButton } from './file-button';
import { SelectField, TextareaField, TextField } from './form-fields';

export function BasicTab({ userId, name, age }: { userId: string; name: string; age: number | null | undefined }) {
  return (
    <>
      <div>
        <h2>Basic Info</h2>
        <p className="sub">This is what brands read first.</p>
      </div>
      <ProfilePictures userId={userId} name={name} />
      <div className="cols2">
        <TextField name="name" label="Name" required autoComplete="name" />
        <TextField name="username" label="Username" required icon={AtSign} />
        <SelectField name="category" label="Category" required options={CATEGORIES} placeholder="Choose a category" />
        <TextField name="location" label="Location" icon={MapPin} placeholder="City, state" />
      </div>
      <TextareaField name="bio" label="Bio" rows={4} most={MAX_BIO} />
      <div className="cols2">
        <BirthDateField age={age} />
        <TextField name="height" label="Height" placeholder="e.g. 162 cm" />
        <SelectField name="ethnicity" label="Ethnicity" options={ETHNICITIES} placeholder="Choose" />
        <SelectField name="religion" label="Religion" options={RELIGIONS} placeholder="Choose" />
        <SelectField name="language" label="Language" options={LANGUAGES} placeholder="Choose" />
      </div>
    </>
  );
}

/** A chosen picture is placed in a dialog first, then waits for the save. */
function ProfilePictures({ userId, name }: { userId: string; name: string }) {
  const { cover, profile, choose } = usePictures();
  const [cropping, setCropping] = useState<{ slot: 'cover' | 'profile'; shape: CropShape; file: File }>();
  return (
    <div>
      <div className="cover-frame">
        <Picture
          src={slotSource(cover)}
          alt="Your cover"
          width={720}
          height={168}
          fallback={<UbinPattern seed={userId} columns={6} rows={2} />}
        />
        <FileButton label="Change cover" onFile={(file) => setCropping({ slot: 'cover', shape: 'cover', file })}>
          {(open) => (
            <button type="button" className="btn s onphoto cover-button" onClick={open}>
              <ImageUp className="i" aria-hidden="true" />
              Change cover
            </button>
          )}
        </FileButton>
      </div>
      <div className="row portrait-row">
        <span className="av portrait-frame">
          <Picture
            src={slotSource(profile)}
            alt="Your photo"
            width={104}
            height={104}
            fallback={<span>{firstLetter(name)}</span>}
          />
        </span>
        <FileButton label="Change photo" onFile={(file) => setCropping({ slot: 'profile', shape: 'portrait', file })}>
          {(open) => (
            <Button variant="outline" size="small" onClick={open}>
              <Camera className="i" aria-hidden="true" />
              Change photo
            </Button>
          )}
        </FileButton>
      </div>
      {cropping ? (
        <CropDialog
          file={cropping.file}
          shape={cropping.shape}
          onCancel={() => setCropping(undefined)}
          onApply={(picture) => {
            choose(cropping.slot, picture);
            setCropping(undefined);
          }}
        />
      ) : null}
    </div>
  );
}
