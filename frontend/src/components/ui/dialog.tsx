import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

/** A dialog with a title, one line of help, a scrolling body and actions. On phones a bottom sheet. */
export function Dialog(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  /** The content reaches the edges: the title is for screen readers only, and Close overlays the content. */
  flush?: boolean;
  children: ReactNode;
  footer?: ReactNode;
}) {
  // Opened by state instead of a Radix trigger, so it remembers where to return the focus.
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="ov">
          <Radix.Content
            className={clsx('dlg', (props.wide || props.flush) && 'wide', props.flush && 'preview-flush')}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            {...(props.description ? {} : { 'aria-describedby': undefined })}
          >
            <header>
              <div className={props.flush ? 'sr' : 'grow'}>
                <Radix.Title asChild>
                  <h2>{props.title}</h2>
                </Radix.Title>
                {props.description ? (
                  <Radix.Description className="muted sm">{props.description}</Radix.Description>
                ) : null}
              </div>
              <Radix.Close className="ib s" aria-label="Close">
                <X className="i i18" aria-hidden="true" />
              </Radix.Close>
            </header>
            <div className="body">{props.children}</div>
            {props.footer ? <footer>{props.footer}</footer> : null}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
