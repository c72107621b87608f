// Lets users choose, drop or paste pictures. Files of other types and files that are too large are rejected with a
// toast. The caller renders the content and receives a function that opens the file chooser.
import { clsx } from 'clsx';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { acceptable, TYPES } from '../files';

interface Receiver {
  label: string;
  multiple?: boolean;
  onFile?: (file: File) => void;
  onFiles?: (files: File[]) => void;
}

function useReceiver({ multiple, onFile, onFiles }: Receiver) {
  return (list: Iterable<File> | null) => {
    const files = acceptable(list ?? []);
    if (files[0]) onFile?.(files[0]);
    if (files.length > 0) onFiles?.(multiple ? files : files.slice(0, 1));
  };
}

/** Opens the file chooser for pictures. */
export function FileButton(props: Receiver & { children: (open: () => void) => ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  const take = useReceiver(props);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={props.label}
        accept={TYPES.join(',')}
        multiple={props.multiple}
        onChange={(event) => {
          take(event.target.files);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
      {props.children(() => input.current?.click())}
    </>
  );
}

/**
 * An area that accepts dropped pictures, and pasted ones while the focus is inside. With `pastesAll` it accepts
 * pictures pasted anywhere on the page, unless another area has the focus.
 */
export function DropArea(props: Receiver & { className?: string; pastesAll?: boolean; children: ReactNode }) {
  const area = useRef<HTMLFieldSetElement>(null);
  const [over, setOver] = useState(false);
  const take = useReceiver(props);
  const latest = useRef(take);
  latest.current = take;
  const { pastesAll = false } = props;

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      const target = event.target instanceof Node ? event.target : document.body;
      const inside = area.current?.contains(target) ?? false;
      const elsewhere = target instanceof Element && target.closest('[data-drop], [role=dialog]') !== null;
      if (!inside && (!pastesAll || elsewhere)) return;
      event.preventDefault();
      latest.current(files);
    };
    // A picture dropped outside the area would replace the page and lose the unsaved input.
    const stray = (event: Event) => event.preventDefault();
    document.addEventListener('paste', paste);
    window.addEventListener('dragover', stray);
    window.addEventListener('drop', stray);
    return () => {
      document.removeEventListener('paste', paste);
      window.removeEventListener('dragover', stray);
      window.removeEventListener('drop', stray);
    };
  }, [pastesAll]);

  return (
    <fieldset
      ref={area}
      data-drop
      aria-label={props.label}
      className={clsx(
        'min-w-0 rounded-lg',
        over && 'outline-dashed outline-2 outline-primary outline-offset-6',
        props.className,
      )}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={(event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event: DragEvent) => {
        setOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        take(event.dataTransfer.files);
      }}
    >
      {props.children}
    </fieldset>
  );
}
