import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

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
        <Radix.Overlay className="ov">
          <Radix.Content
            className="dlg"
            style={{ maxWidth: 520 }}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
          >
            <header>
              <Radix.Title asChild>
                <h2>{props.title}</h2>
              </Radix.Title>
            </header>
            <Radix.Description asChild>
              <div className="body muted">{props.description}</div>
            </Radix.Description>
            <footer className={props.stacked ? 'stacked' : undefined}>{props.children}</footer>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const AlertCancel = Radix.Cancel;
export const AlertAction = Radix.Action;
