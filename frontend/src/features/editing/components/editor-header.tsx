// The bar above a portal's form: home, preview, sign out; and the question before any of them loses something.
// `signInPath` is where signing out leads: the portal's own sign-in page.
import { Eye, House, LogOut } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { Brand } from '@/components/brand';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { useLeaveGuard } from '../use-leave-guard';
import { UnsavedDialog } from './unsaved-dialog';

/** Every way out of the dashboard asks first when something is not saved. */
export function EditorHeader(props: {
  changed: string[];
  /** Portals without a preview leave it out. */
  onPreview?: () => void;
  signInPath: string;
  /** Whether everything was saved. */
  onSave: () => Promise<boolean>;
  /** What was typed is not wanted any more. */
  onDiscard: () => void;
  signOut: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const { leaving, leave, stay, release, replace } = useLeaveGuard(props.changed.length > 0);

  function home(event: MouseEvent) {
    event.preventDefault();
    leave(() => navigate(paths.home, { replace: replace() }));
  }
  const out = () =>
    leave(() => {
      void props.signOut().then(() => navigate(props.signInPath, { replace: true }));
    });

  return (
    <header className="dh">
      <div className="wrap">
        <span onClickCapture={home}>
          <Brand />
        </span>
        <span className="grow" />
        <Link className="btn ghost s" to={paths.home} aria-label="Main Page" onClick={home}>
          <House className="i" aria-hidden="true" />
          <span className="m-hide">Main Page</span>
        </Link>
        {props.onPreview ? (
          <Button
            variant="outline"
            size="small"
            className="l-hide"
            aria-label="Preview Profile"
            onClick={props.onPreview}
          >
            <Eye className="i" aria-hidden="true" />
            Preview
          </Button>
        ) : null}
        <Button variant="ghost" size="small" aria-label="Sign Out" onClick={out}>
          <LogOut className="i" aria-hidden="true" />
          <span className="m-hide">Sign Out</span>
        </Button>
      </div>
      {leaving ? (
        <UnsavedDialog
          fields={props.changed}
          onStay={stay}
          onLeave={() => {
            release();
            props.onDiscard();
            leaving.go();
          }}
          onSave={() => {
            stay();
            void props.onSave().then((saved) => {
              if (!saved) return;
              release();
              leaving.go();
            });
          }}
        />
      ) : null}
    </header>
  );
}
