// The sticky bar below a portal's form: the save status, the upload progress and the save button. On phones the button
// itself shows the progress.
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';

export function SaveBar(props: {
  status: string;
  saving: boolean;
  /** The upload progress of each file, from 0 to 1. */
  sending: Record<string, number>;
  /** More actions, shown before the button. */
  children?: ReactNode;
}) {
  const shares = Object.values(props.sending);
  const percent = Math.round((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100);
  const uploading = props.saving && shares.length > 0;
  const count = shares.length === 1 ? '1 picture' : `${shares.length} pictures`;
  return (
    <div className="savebar">
      {uploading ? (
        <div className="savebar-progress m-hide">
          <span className="sm muted num">
            Uploading {count}, {percent}%
          </span>
          <div
            className="bar"
            role="progressbar"
            aria-label={`Uploading ${count}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <i style={{ width: `${percent}%` }} />
          </div>
        </div>
      ) : (
        <span className="sm muted m-hide" style={{ marginRight: 'auto' }} role="status">
          {props.status}
        </span>
      )}
      {props.children}
      <Button type="submit" busy={props.saving}>
        {props.saving ? (uploading ? `Saving... ${percent}%` : 'Saving...') : 'Save Profile'}
      </Button>
    </div>
  );
}
