import { ImagePlus } from 'lucide-react';
import { toast } from 'sonner';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { SortablePhotos } from '@/features/pictures/components/sortable-photos';
import { pendingFiles } from '@/features/pictures/files';
import { MAX_PHOTOS } from '../choices';
import { usePictures } from '../pictures';

export function ContentTab({ onRetry }: { onRetry: () => void }) {
  const { photos, addPhotos } = usePictures();
  const left = MAX_PHOTOS - photos.length;
  async function add(files: File[]) {
    // Counted again after scaling, because other pictures may have been added in the meantime.
    if (files.length > left || !addPhotos(await pendingFiles(files))) toast.error('Maximum 8 content photos allowed');
  }
  return (
    <DropArea label="Content photos" multiple pastesAll onFiles={(files) => void add(files)} className="stack">
      <div className="row between">
        <div>
          <h2>Content</h2>
          <p className="sub">Up to {MAX_PHOTOS} photos of your work. Drop them here, paste or choose them.</p>
        </div>
        <span className="chip num" aria-live="polite">
          {photos.length} of {MAX_PHOTOS}
        </span>
      </div>
      {photos.length > 1 ? (
        <p className="hint">Drag a photo by its handle to reorder, or focus the handle and press the arrow keys.</p>
      ) : null}
      <SortablePhotos store={usePictures} noun="photo" kind="content" onRetry={onRetry}>
        {left > 0 ? (
          <li>
            <FileButton label="Add photos" multiple onFiles={(files) => void add(files)}>
              {(open) => (
                <button type="button" className="drop add-photo" onClick={open}>
                  <ImagePlus className="i i24" aria-hidden="true" />
                  <b>Add photos</b>
                  <span>
                    {left} {left === 1 ? 'place' : 'places'} left
                  </span>
                </button>
              )}
            </FileButton>
          </li>
        ) : null}
      </SortablePhotos>
    </DropArea>
  );
}
