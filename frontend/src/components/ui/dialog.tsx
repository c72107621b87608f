import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { dialogBody, dialogFooter, dialogOverlay, dialogVariants } from './dialog-parts';
import { iconButtonVariants } from './icon-button';

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
        <Radix.Overlay className={dialogOverlay}>
          <Radix.Content
            className={dialogVariants({ width: props.flush ? 'flush' : props.wide ? 'wide' : 'normal' })}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            {...(props.description ? {} : { 'aria-describedby': undefined })}
          >
            <header
              className={
                props.flush
                  ? 'absolute top-3.5 right-3.5 z-1 flex items-start gap-3'
                  : 'flex items-start gap-3 px-6 pt-5.5'
              }
            >
              <div className={props.flush ? 'sr-only' : 'min-w-0 flex-1'}>
                <Radix.Title asChild>
                  <h2>{props.title}</h2>
                </Radix.Title>
                {props.description ? (
                  <Radix.Description className="text-muted-foreground text-sm">{props.description}</Radix.Description>
                ) : null}
              </div>
              <Radix.Close
                className={iconButtonVariants({ size: 'small', variant: props.flush ? 'photo' : 'ghost' })}
                aria-label="Close"
              >
                <X className="size-4.5" aria-hidden="true" />
              </Radix.Close>
            </header>
            <div className={dialogBody({ width: props.flush ? 'flush' : props.wide ? 'wide' : 'normal' })}>
              {props.children}
            </div>
            {props.footer ? <footer className={dialogFooter()}>{props.footer}</footer> : null}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
