import { clsx } from 'clsx';
import { Camera, ImageUp, Move } from 'lucide-react';
import { firstLetter, Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { avatarVariants } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { usePlacing } from '@/features/pictures/components/placing';
import { type Slot, slotSource } from '@/features/pictures/pending';
import { SelectField, TextareaField, TextField } from '../fields';
import { usePictures } from '../pictures';
import { TEXT_FIELDS, TEXT_NAMES, type TextName } from '../text-fields';
import { BirthDateField } from './birth-date-field';

const bio = TEXT_NAMES.indexOf('bio');

export function BasicTab({ userId, name, age }: { userId: string; name: string; age: number | null | undefined }) {
  return (
    <>
      <div>
        <h2 className="text-[24px]">Basic Info</h2>
        <p className="mt-1 text-muted-foreground">This is what brands read first.</p>
      </div>
      <ProfilePictures userId={userId} name={name} />
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <ProfileFields names={TEXT_NAMES.slice(0, bio)} />
      </div>
      <ProfileFields names={['bio']} />
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <BirthDateField age={age} />
        <ProfileFields names={TEXT_NAMES.slice(bio + 1)} />
      </div>
    </>
  );
}

function ProfileFields({ names }: { names: TextName[] }) {
  return names.map((name) => {
    const { most, rows, options, ...field } = TEXT_FIELDS[name];
    if (options) return <SelectField key={name} name={name} options={options} {...field} />;
    if (rows) return <TextareaField key={name} name={name} rows={rows} most={most} {...field} />;
    return <TextField key={name} name={name} {...field} />;
  });
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
      <DropArea
        label="Cover"
        onFile={(file) => place('cover', 'cover', file)}
        className="relative h-42 overflow-hidden rounded-lg bg-muted"
      >
        <Picture
          className="size-full object-cover"
          src={slotSource(slots.cover)}
          alt="Your cover"
          width={720}
          height={168}
          fallback={<UbinPattern seed={userId} columns={6} rows={2} />}
        />
        <div className="absolute right-3 bottom-3 z-1 flex flex-wrap items-center gap-2 max-sm:top-2.5 max-sm:right-2.5 max-sm:bottom-auto">
          {slotSource(slots.cover) ? (
            <Button size="small" variant="photo" onClick={() => placeAgain('cover', 'cover')}>
              <Move aria-hidden="true" />
              <span className="max-sm:hidden">Reposition</span>
              <span className="sr-only"> cover</span>
            </Button>
          ) : null}
          <FileButton label="Change cover" onFile={(file) => place('cover', 'cover', file)}>
            {(open) => (
              <Button size="small" variant="photo" onClick={open}>
                <ImageUp aria-hidden="true" />
                Change cover
              </Button>
            )}
          </FileButton>
        </div>
        <Progress label="Uploading cover" share={share(slots.cover)} />
      </DropArea>
      <DropArea
        label="Photo"
        pastesAll
        onFile={(file) => place('profile', 'portrait', file)}
        className="relative -mt-11 flex items-end gap-4 pl-5 max-sm:gap-2 max-sm:pl-2 max-[360px]:-mt-3"
      >
        <span className={avatarVariants({ className: 'size-26 border-5 border-card text-[40px] max-sm:size-24' })}>
          {portrait}
        </span>
        <div className="mb-1.5 flex min-w-0 flex-1 flex-wrap max-[360px]:mb-0 items-center gap-2">
          <FileButton label="Change photo" onFile={(file) => place('profile', 'portrait', file)}>
            {(open) => (
              <Button variant="outline" size="small" onClick={open}>
                <Camera aria-hidden="true" />
                Change photo
              </Button>
            )}
          </FileButton>
          {slotSource(slots.profile) ? (
            <Button variant="ghost" size="small" onClick={() => placeAgain('profile', 'portrait')}>
              <Move aria-hidden="true" />
              <span className="max-sm:sr-only">Reposition</span>
              <span className="sr-only"> photo</span>
            </Button>
          ) : null}
          <Progress inline label="Uploading photo" share={share(slots.profile)} />
        </div>
      </DropArea>
      <p className="mt-2.5 text-muted-foreground text-xs">Drop, paste or choose a picture, up to 10 MB.</p>
      {dialog}
    </div>
  );
}

/** Inline: beside the picture instead of on it. */
function Progress(props: { label: string; share: number | undefined; inline?: boolean }) {
  const { label, share } = props;
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  return (
    <div
      className={clsx(
        'h-1.5 overflow-hidden rounded-xs bg-[#dbe1d8] ring ring-ink/20',
        props.inline ? 'min-w-20 flex-1' : 'absolute inset-x-3 top-3 max-sm:top-14',
      )}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className="h-full rounded-xs bg-pandan" style={{ width: `${percent}%` }} />
    </div>
  );
}
