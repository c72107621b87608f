import { ImagePlus, X } from 'lucide-react';
import { toast } from 'sonner';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { MAX_PHOTOS } from '../choices';
import { isUnsaved, pendingFile, sourceOf, usePictures } from '../pictures';
import { FileButton } from './file-button';

export function ContentTab() {
  const { content, addPhotos, removePhoto } = usePictures();
  const left = MAX_PHOTOS - content.length;
  function add(files: File[]) {
    if (!addPhotos(files.map((file) => pendingFile(file, file.name)))) toast.error('Maximum 8 content photos allowed');
  }
  return (
    <>
      <div className="row between">
        <div>
          <h2>Content</h2>
          <p className="sub">Up to {MAX_PHOTOS} photos of your work.</p>
        </div>
        <span className="chip num" aria-live="polite">
          {content.length} of {MAX_PHOTOS}
        </span>
      </div>
      <div className="photo-grid">
        {content.map((photo, index) => (
          <figure key={isUnsaved(photo) ? photo.id : photo.stored} className="photo">
            <Picture
              src={sourceOf(photo)}
              alt={`Content ${index + 1} of ${content.length}`}
              width={240}
              height={240}
              fallback={<UbinPattern seed={String(index)} columns={2} rows={2} />}
            />
            {isUnsaved(photo) ? <span className="chip amber unsaved">Not saved yet</span> : null}
            <button
              type="button"
              className="ib s onphoto remove-photo"
              aria-label={`Remove photo ${index + 1}`}
              onClick={() => removePhoto(index)}
            >
              <X className="i i18" aria-hidden="true" />
            </button>
          </figure>
        ))}
        {left > 0 ? (
          <FileButton label="Add photos" multiple onFiles={add}>
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
        ) : null}
      </div>
    </>
  );
}
