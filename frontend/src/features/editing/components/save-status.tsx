// The sticky bar below a portal's form: the save status, the upload progress and the save button. On phones the button
// itself shows the progress.
import { type ReactNode, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { formFooter } from '@/components/ui/form-footer';
import { useToastClearance } from '../toast-clearance';

export function SaveBar(props: {
  status: string;
  saving: boolean;
  /** The upload progress of each file, from 0 to 1. */
  sending: Record<string, number>;
  onCancelUpload: () => void;
  /** More actions, shown before the button. */
  children?: ReactNode;
}) {
  const bar = useRef<HTMLDivElement>(null);
  useToastClearance(bar);
  const shares = Object.values(props.sending);
  const percent = Math.round((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100);
  const uploading = props.saving && shares.length > 0;
  const count = shares.length === 1 ? '1 picture' : `${shares.length} pictures`;
  return (
    <div ref={bar} className={formFooter} data-slot="save-bar">
      {uploading ? (
        <div className="mr-3 grid min-w-0 flex-1 gap-1.5 max-sm:hidden">
          <span className="text-muted-foreground text-sm tabular-nums">
            Uploading {count}, {percent}%
          </span>
          <div
            className="h-1.5 overflow-hidden rounded-xs bg-secondary"
            role="progressbar"
            aria-label={`Uploading ${count}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className="h-full rounded-xs bg-primary" style={{ width: `${percent}%` }} />
          </div>
        </div>
      ) : (
        <span className="mr-auto text-muted-foreground text-sm max-sm:hidden" role="status">
          {props.status}
        </span>
      )}
      {uploading ? (
        <Button variant="outline" aria-label="Cancel upload" onClick={props.onCancelUpload}>
          Cancel
        </Button>
      ) : (
        props.children
      )}
      <Button type="submit" busy={props.saving}>
        {props.saving ? (uploading ? `Saving... ${percent}%` : 'Saving...') : 'Save Profile'}
      </Button>
    </div>
  );
}
