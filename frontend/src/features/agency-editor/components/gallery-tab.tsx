import { ImagePlus } from 'lucide-react';
import { Chip } from '@/components/ui/chip';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { SortablePhotos } from '@/features/pictures/components/sortable-photos';
import { pendingFiles } from '@/features/pictures/files';
import type { Photo } from '@/features/pictures/pending';
import { toast } from '@/lib/toast';
import { useAgencyPictures } from '../pictures';
import { GALLERY_PLACES } from '../schema';

const PLACES = Array.from({ length: GALLERY_PLACES }, (_, index) => index + 1);

const FULL = 'Maximum 8 gallery images allowed';

/** Eight places, filled from the first. The record stores the pictures in order, without gaps. */
export function GalleryTab({ onRetry }: { onRetry: () => void }) {
  const { photos, addPhotos, replacePhoto } = useAgencyPictures();
  const free = PLACES.slice(photos.length);
  async function add(files: File[]) {
    if (!addPhotos(await pendingFiles(files))) toast.error(FULL);
  }
  async function replace(photo: Photo, file: File) {
    const [picture] = await pendingFiles([file]);
    if (picture) replacePhoto(photo, picture);
  }
  return (
    <DropArea label="Gallery images" multiple pastesAll onFiles={(files) => void add(files)} className="grid gap-4">
      <div className="flex items-center justify-between gap-3 max-[360px]:flex-wrap">
        <div>
          <h2 className="text-[24px]">Gallery</h2>
          <p className="mt-1 text-muted-foreground">
            Up to 8 images. To reorder, drag an image by its handle, or focus the handle and press the arrow keys.
          </p>
        </div>
        <Chip className="flex-none tabular-nums" aria-live="polite">
          {photos.length} of {GALLERY_PLACES}
        </Chip>
      </div>
      <SortablePhotos
        store={useAgencyPictures}
        noun="image"
        full={FULL}
        kind="gallery"
        columns={4}
        onRetry={onRetry}
        onReplace={(photo, file) => void replace(photo, file)}
      >
        {free.map((place) => (
          <li key={place} className="grid min-w-0">
            <FileButton label={`Add image to slot ${place}`} multiple onFiles={(files) => void add(files)}>
              {(open) => (
                <button
                  type="button"
                  className="grid aspect-square min-h-30 w-full min-w-0 place-items-center rounded-lg border-[1.5px] border-input border-dashed bg-muted text-center text-[14px] text-muted-foreground"
                  onClick={open}
                >
                  <span className="grid justify-items-center gap-1.5">
                    <ImagePlus className="size-6" aria-hidden="true" />
                    <b className="text-foreground">Add image</b>
                    <span className="tabular-nums">Slot {place}</span>
                  </span>
                </button>
              )}
            </FileButton>
          </li>
        ))}
      </SortablePhotos>
      <p className="text-muted-foreground text-xs">
        Drop, paste or choose images, up to 10 MB each. They fill the next free slots.
      </p>
    </DropArea>
  );
}
