import { type ReactNode, useRef } from 'react';
import { toast } from 'sonner';

/** As the storage service: larger files would be refused there. */
const MOST_BYTES = 10 * 1000 * 1000;
const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];

/** Opens the file chooser for pictures; other files are refused in words. */
export function FileButton(props: {
  label: string;
  multiple?: boolean;
  onFile?: (file: File) => void;
  onFiles?: (files: File[]) => void;
  children: (open: () => void) => ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);

  function take(list: FileList | null) {
    const files = [...(list ?? [])].filter((file) => {
      if (!TYPES.includes(file.type)) {
        toast.error(`${file.name} is not a picture`, { description: 'Choose a JPEG, PNG, WebP, GIF or AVIF file.' });
        return false;
      }
      if (file.size > MOST_BYTES) {
        toast.error(`${file.name} is too large`, { description: 'A picture can have at most 10 MB.' });
        return false;
      }
      return true;
    });
    if (files[0]) props.onFile?.(files[0]);
    if (files.length > 0) props.onFiles?.(files);
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label={props.label}
        accept={TYPES.join(',')}
        multiple={props.multiple}
        onChange={(event) => {
          take(event.target.files);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
      {props.children(() => input.current?.click())}
    </>
  );
}
