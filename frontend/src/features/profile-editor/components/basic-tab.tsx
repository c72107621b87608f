import { AtSign, Camera, ImageUp, MapPin, Move } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { usePlacing } from '@/features/pictures/components/placing';
import { type Slot, slotSource } from '@/features/pictures/pending';
import { ETHNICITIES } from '@/lib/ethnicities';
import { CATEGORIES } from '@/lib/kinds';
import { LANGUAGES } from '@/lib/languages';
import { MAX_BIO, RELIGIONS } from '../choices';
import { SelectField, TextareaField, TextField } from '../fields';
import { usePictures } from '../pictures';
import { BirthDateField } from './birth-date-field';

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

/** A chosen picture is first positioned in a dialog, then kept until the form is saved. */
function ProfilePictures({ userId, name }: { userId: string; name: string }) {
  const { slots, sending } = usePictures();
  const portrait = (
    <Picture
      src={slotSource(slots.profile)}
      alt="Your photo"
      width={104}
      height={104}
      fallback={<span>{firstLetter(name)}</span>}
    />
  );
  const { place, placeAgain, dialog } = usePlacing(usePictures, (slot) =>
    slot === 'cover' ? <Picture src={slotSource(slots.profile)} alt="" width={80} height={80} fallback={null} /> : null,
  );
  const share = (slot: Slot) => (slot.pending ? sending[slot.pending.id] : undefined);
  return (
    <div>
      <DropArea label="Cover" onFile={(file) => place('cover', 'cover', file)} className="cover-frame">
        <Picture
          src={slotSource(slots.cover)}
          alt="Your cover"
          width={720}
          height={168}
          fallback={<UbinPattern seed={userId} columns={6} rows={2} />}
        />
        <div className="cover-button row wrapf" style={{ gap: 8 }}>
          {slotSource(slots.cover) ? (
            <button type="button" className="btn s onphoto" onClick={() => placeAgain('cover', 'cover')}>
              <Move className="i" aria-hidden="true" />
              <span className="m-hide">Reposition</span>
              <span className="sr"> cover</span>
            </button>
          ) : null}
          <FileButton label="Change cover" onFile={(file) => place('cover', 'cover', file)}>
            {(open) => (
              <button type="button" className="btn s onphoto" onClick={open}>
                <ImageUp className="i" aria-hidden="true" />
                Change cover
              </button>
            )}
          </FileButton>
        </div>
        <Progress label="Uploading cover" share={share(slots.cover)} />
      </DropArea>
      <DropArea
        label="Photo"
        pastesAll
        onFile={(file) => place('profile', 'portrait', file)}
        className="row wrapf portrait-row"
      >
        <span className="av portrait-frame">{portrait}</span>
        <FileButton label="Change photo" onFile={(file) => place('profile', 'portrait', file)}>
          {(open) => (
            <Button variant="outline" size="small" onClick={open}>
              <Camera className="i" aria-hidden="true" />
              Change photo
            </Button>
          )}
        </FileButton>
        {slotSource(slots.profile) ? (
          <Button variant="ghost" size="small" onClick={() => placeAgain('profile', 'portrait')}>
            <Move className="i" aria-hidden="true" />
            Reposition<span className="sr"> photo</span>
          </Button>
        ) : null}
        <Progress label="Uploading photo" share={share(slots.profile)} />
      </DropArea>
      <p className="hint pictures-hint">Drop, paste or choose a picture, up to 10 MB.</p>
      {dialog}
    </div>
  );
}

function Progress({ label, share }: { label: string; share: number | undefined }) {
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  return (
    <div
      className="bar slot-progress"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
