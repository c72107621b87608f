import { Copy, Download } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { copyText } from '@/lib/copy-text';

/** Shows new recovery codes. The server can't return them again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const copy = () =>
    copyText(codes.join('\n'), {
      copied: 'Recovery codes copied',
      otherwise: 'Write the codes down or download them.',
    });
  function download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(
      new Blob([`Serasi recovery codes\n\n${codes.join('\n')}\n`], { type: 'text/plain' }),
    );
    link.download = 'serasi-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(link.href);
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Save your recovery codes"
      description="They are shown only this once. Each one works once if you don't have your phone."
      footer={<Button onClick={onClose}>I saved them</Button>}
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-lg bg-muted p-4 font-mono text-[15px] max-[420px]:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button variant="outline" size="small" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
        <Button variant="outline" size="small" onClick={download}>
          <Download aria-hidden="true" />
          Download
        </Button>
      </div>
    </Dialog>
  );
}
