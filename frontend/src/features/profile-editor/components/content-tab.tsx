import { ImagePlus } from 'lucide-react';
import { Chip } from '@/components/ui/chip';
import { DropArea, FileButton } from '@/features/pictures/components/file-button';
import { SortablePhotos } from '@/features/pictures/components/sortable-photos';
import { pendingFiles } from '@/features/pictures/files';
import { toast } from '@/lib/toast';
import { MAX_PHOTOS } from '../choices';
import { usePictures } from '../pictures';

const FULL = 'Maximum 8 content photos allowed';

export function ContentTab({ onRetry }: { onRetry: () => void }) {
  const { photos, addPhotos } = usePictures();
  const left = MAX_PHOTOS - photos.length;
  async function add(files: File[]) {
    if (!addPhotos(await pendingFiles(files))) toast.error(FULL);
  }
  return (
    <DropArea label="Content photos" multiple pastesAll onFiles={(files) => void add(files)} className="grid gap-4">
      <div className="flex items-center justify-between gap-3 max-[360px]:flex-wrap">
        <div>
          <h2 className="text-[24px]">Content</h2>
          <p className="mt-1 text-muted-foreground">
            Up to {MAX_PHOTOS} photos of your work. Drop them here, paste or choose them.
          </p>
        </div>
        <Chip className="tabular-nums" aria-live="polite">
          {photos.length} of {MAX_PHOTOS}
        </Chip>
      </div>
      {photos.length > 1 ? (
        <p className="text-muted-foreground text-xs">
          Drag a photo by its handle to reorder, or focus the handle and press the arrow keys.
        </p>
      ) : null}
      <SortablePhotos store={usePictures} noun="photo" full={FULL} kind="content" columns={3} onRetry={onRetry}>
        {left > 0 ? (
          <li className="min-w-0">
            <FileButton label="Add photos" multiple onFiles={(files) => void add(files)}>
              {(open) => (
                <button
                  type="button"
                  className="grid aspect-square min-h-30 w-full place-content-center place-items-center gap-1 rounded-lg border-[1.5px] border-input border-dashed bg-muted/50 p-4 text-center text-[14px] text-muted-foreground"
                  onClick={open}
                >
                  <ImagePlus className="size-6" aria-hidden="true" />
                  <b className="text-foreground">Add photos</b>
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
