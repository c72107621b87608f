// The bar above a portal's form: home, preview and sign out, with the dialog about unsaved changes. `signInPath` is the
// portal's sign-in page, where signing out leads.

import { Eye, House, LogOut } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { Brand } from '@/components/brand';
import { OfflineBar } from '@/components/layout/offline-bar';
import { Button, buttonVariants } from '@/components/ui/button';
import { Bell } from '@/features/notifications/components/bell';
import { useLeaveGuard } from '@/hooks/use-leave-guard';
import { paths } from '@/lib/paths';
import { UnsavedDialog } from './unsaved-dialog';

/** Every way to leave the dashboard asks first if there are unsaved changes. */
export function EditorHeader(props: {
  changed: string[];
  /** Omitted by portals without a preview. */
  onPreview?: () => void;
  signInPath: string;
  /** Resolves to whether everything was saved. */
  onSave: () => Promise<boolean>;
  /** Discards the unsaved changes. */
  onDiscard: () => void;
  signOut: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const guard = useLeaveGuard(props.changed.length > 0);

  const out = () => void props.signOut().then(() => navigate(props.signInPath, { replace: true }));

  return (
    <header className="border-border border-b bg-card">
      <OfflineBar />
      <div className="wrap flex min-h-18 flex-wrap items-center gap-3 py-2.5 max-sm:min-h-16 max-sm:flex-nowrap max-sm:gap-1 max-[360px]:gap-1">
        <Brand />
        <span className="min-w-0 flex-1" />
        <span className="max-lg:hidden">
          <Bell />
        </span>
        <Link
          className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:px-2.5' })}
          to={paths.home}
          aria-label="Main Page"
        >
          <House aria-hidden="true" />
          <span className="max-sm:hidden">Main Page</span>
        </Link>
        {props.onPreview ? (
          <Button
            variant="outline"
            size="small"
            className="max-sm:px-2.5 lg:hidden"
            aria-label="Preview Profile"
            onClick={props.onPreview}
          >
            <Eye aria-hidden="true" />
            Preview
          </Button>
        ) : null}
        <Button className="max-sm:px-2.5" variant="ghost" size="small" aria-label="Sign Out" data-leaves onClick={out}>
          <LogOut aria-hidden="true" />
          <span className="max-sm:hidden">Sign Out</span>
        </Button>
      </div>
      {guard.isAsking ? (
        <UnsavedDialog
          fields={props.changed}
          onStay={guard.stay}
          onLeave={() => {
            props.onDiscard();
            void guard.leave();
          }}
          onSave={() => void guard.leaveAfter(props.onSave)}
        />
      ) : null}
    </header>
  );
}
