import { ImagePlus } from 'lucide-react';
import { toast } from 'sonner';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { SortablePhotos } from '@/features/pictures/components/sortable-photos';
import { pendingFiles } from '@/features/pictures/files';
import type { Photo } from '@/features/pictures/pending';
import { useAgencyPictures } from '../pictures';
import { GALLERY_PLACES } from '../schema';

const PLACES = Array.from({ length: GALLERY_PLACES }, (_, index) => index + 1);

/** Eight places, filled from the first. The record stores the pictures in order, without gaps. */
export function GalleryTab({ onRetry }: { onRetry: () => void }) {
  const { photos, addPhotos, replacePhoto } = useAgencyPictures();
  const free = PLACES.slice(photos.length);
  async function add(files: File[]) {
    // Counted again after scaling, because other pictures may have been added in the meantime.
    if (files.length <= free.length && addPhotos(await pendingFiles(files))) return;
    toast.error('Maximum 8 gallery images allowed', {
      description: free.length === 1 ? 'One place is left.' : `${free.length} places are left.`,
    });
  }
  async function replace(photo: Photo, file: File) {
    const [picture] = await pendingFiles([file]);
    if (picture) replacePhoto(photo, picture);
  }
  return (
    <DropArea label="Gallery images" multiple pastesAll onFiles={(files) => void add(files)} className="stack">
      <div className="row between">
        <div>
          <h2>Gallery</h2>
          <p className="sub">Eight places. Drag by the handle to reorder, or focus it and press the arrow keys.</p>
        </div>
        <span className="chip num gallery-count" aria-live="polite">
          {photos.length} of {GALLERY_PLACES}
        </span>
      </div>
      <SortablePhotos
        store={useAgencyPictures}
        noun="image"
        kind="gallery"
        onRetry={onRetry}
        onReplace={(photo, file) => void replace(photo, file)}
      >
        {free.map((place) => (
          <li key={place} className="free-place">
            <FileButton label={`Add image, place ${place}`} multiple onFiles={(files) => void add(files)}>
              {(open) => (
                <button type="button" className="drop slot free" onClick={open}>
                  <span className="stack">
                    <ImagePlus className="i i24" aria-hidden="true" />
                    <b>Add image</b>
                    <span className="num">Place {place}</span>
                  </span>
                </button>
              )}
            </FileButton>
          </li>
        ))}
      </SortablePhotos>
      <p className="hint">Drop, paste or choose images, up to 10 MB each. The next free place is filled.</p>
    </DropArea>
  );
}
