import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

/** Asks before something that can't be undone. Escape and Cancel mean no. */
export function AlertDialog(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** More than two answers: below each other on phones, the last one first. */
  stacked?: boolean;
  children: ReactNode;
}) {
  // Opened by a state, not by a trigger of its own: it has to remember where the focus came from.
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
