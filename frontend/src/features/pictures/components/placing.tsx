// Choosing a picture for a slot and positioning it in its frame, also again later.
import { type ReactNode, useState } from 'react';
import { pictureUrl } from '@/lib/images';
import { toast } from '@/lib/toast';
import { type PendingFile, type Slot, slotSource } from '../pending';
import type { PicturesStore } from '../store';
import { CropDialog, type CropShape } from './crop-dialog';

/** The original files of cropped pictures, so that repositioning starts from the whole picture. */
const originals = new WeakMap<PendingFile, File>();

interface Placing<Name extends string> {
  slot: Name;
  shape: CropShape;
  file: File;
}

/**
 * `ghost` is shown over a slot's picture in the dialog, as on the profile, so that nothing important ends up below it.
 */
export function usePlacing<Name extends string>(store: PicturesStore<Name>, ghost?: (slot: Name) => ReactNode) {
  const { slots, choose } = store();
  const [placing, setPlacing] = useState<Placing<Name>>();

  async function again(slot: Name, shape: CropShape) {
    const file = await fileOf(slots[slot]);
    if (file) setPlacing({ slot, shape, file });
    else toast.error("The picture can't be read", { description: 'Choose it again.' });
  }
  const dialog: ReactNode = placing ? (
    <CropDialog
      file={placing.file}
      shape={placing.shape}
      ghost={ghost?.(placing.slot)}
      onCancel={() => setPlacing(undefined)}
      onApply={(picture) => {
        originals.set(picture, placing.file);
        choose(placing.slot, picture);
        setPlacing(undefined);
      }}
    />
  ) : null;
  return {
    dialog,
    place: (slot: Name, shape: CropShape, file: File) => setPlacing({ slot, shape, file }),
    placeAgain: (slot: Name, shape: CropShape) => void again(slot, shape),
  };
}

async function fileOf(slot: Slot): Promise<File | undefined> {
  const original = slot.pending && originals.get(slot.pending);
  if (original) return original;
  try {
    const answer = await fetch(slot.pending?.preview ?? pictureUrl(slotSource(slot)) ?? '');
    const blob = await answer.blob();
    return answer.ok ? new File([blob], 'The picture', { type: blob.type }) : undefined;
  } catch {
    return undefined;
  }
}
