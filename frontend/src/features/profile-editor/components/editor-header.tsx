import { Eye, House, LogOut } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Brand } from '@/components/brand';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { UnsavedDialog } from './unsaved-dialog';

/** Every way out of the dashboard asks first when something is not saved. */
export function EditorHeader(props: {
  changed: string[];
  onPreview: () => void;
  /** Whether everything was saved. */
  onSave: () => Promise<boolean>;
  /** What was typed is not wanted any more. */
  onDiscard: () => void;
  signOut: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<() => void>();
  const dirty = props.changed.length > 0;

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    // One more entry of this page: Back comes to it first, and the question can be asked before the page goes.
    const stay = () => window.history.pushState(window.history.state, '', window.location.href);
    const askBack = () => {
      stay();
      setLeaving(() => () => window.history.go(-2));
    };
    stay();
    window.addEventListener('beforeunload', ask);
    window.addEventListener('popstate', askBack);
    return () => {
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('popstate', askBack);
    };
  }, [dirty]);

  const leave = (go: () => void) => (dirty ? setLeaving(() => go) : go());
  function home(event: MouseEvent) {
    event.preventDefault();
    leave(() => navigate(paths.home));
  }
  const out = () =>
    leave(() => {
      void props.signOut().then(() => navigate(paths.auth));
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
        <Button variant="ghost" size="small" aria-label="Sign Out" onClick={out}>
          <LogOut className="i" aria-hidden="true" />
          <span className="m-hide">Sign Out</span>
        </Button>
      </div>
      {leaving ? (
        <UnsavedDialog
          fields={props.changed}
          onStay={() => setLeaving(undefined)}
          onLeave={() => {
            setLeaving(undefined);
            props.onDiscard();
            leaving();
          }}
          onSave={() => {
            const go = leaving;
            setLeaving(undefined);
            void props.onSave().then((saved) => saved && go());
          }}
        />
      ) : null}
    </header>
  );
}
