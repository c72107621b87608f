import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { dialogFooter, dialogOverlay, dialogVariants } from './dialog-parts';

/** Asks for confirmation before something that can't be undone. Escape and Cancel decline. */
export function AlertDialog(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** For more than two buttons: stacks them on phones, the last one first. */
  stacked?: boolean;
  children: ReactNode;
}) {
  // Opened by state instead of a Radix trigger, so it remembers where to return the focus.
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={dialogOverlay}>
          <Radix.Content
            className={dialogVariants({ width: 'narrow' })}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
          >
            <header className="px-6 pt-5.5">
              <Radix.Title asChild>
                <h2>{props.title}</h2>
              </Radix.Title>
            </header>
            <Radix.Description asChild>
              <div className="grid gap-4.5 overflow-y-auto px-6 pt-4.5 pb-5.5 text-muted-foreground">
                {props.description}
              </div>
            </Radix.Description>
            <footer className={dialogFooter({ stacked: Boolean(props.stacked) })}>{props.children}</footer>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const AlertCancel = Radix.Cancel;
export const AlertAction = Radix.Action;
