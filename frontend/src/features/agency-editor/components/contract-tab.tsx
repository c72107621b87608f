import { FileCheck, type LucideIcon, MessagesSquare } from 'lucide-react';
import { useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { Switch } from '@/components/ui/switch';
import type { AgencyForm } from '../schema';

export function ContractTab() {
  const { watch, setValue, formState } = useFormContext<AgencyForm>();
  const id = useId();
  const isOn = watch('contracts_enabled');
  const word = isOn ? 'Switched on.' : 'Switched off.';
  return (
    <>
      <div>
        <h2 className="text-[24px]">Contract</h2>
        <p className="mt-1 text-muted-foreground">Choose whether your agency uses written contracts.</p>
      </div>
      <div
        className={
          isOn
            ? 'flex items-center gap-4.5 rounded-lg bg-primary-soft px-5 py-4.5 text-primary-soft-foreground'
            : 'flex items-center gap-4.5 rounded-lg bg-muted px-5 py-4.5'
        }
      >
        <div className="min-w-0 flex-1">
          <b className="text-[17px]">
            <label htmlFor={id}>Contracts enabled</label>
          </b>
          <p className="mt-0.5 text-sm" role="status">
            {formState.dirtyFields.contracts_enabled ? `${word} Press Save Profile to keep it.` : word}
          </p>
        </div>
        <Switch id={id} checked={isOn} onChange={(on) => setValue('contracts_enabled', on, { shouldDirty: true })} />
      </div>
      <ul>
        <Meaning icon={FileCheck} name="On" text="You send creators a contract before a gig starts." />
        <Meaning icon={MessagesSquare} name="Off" text="Terms are agreed directly, by message or e-mail." />
      </ul>
    </>
  );
}

function Meaning({ icon: Icon, name, text }: { icon: LucideIcon; name: string; text: string }) {
  return (
    <li className="flex items-start gap-3.5 border-border border-t py-4">
      <span className="grid size-10 flex-none place-items-center rounded-[11px] bg-muted">
        <Icon aria-hidden="true" />
      </span>
      <div>
        <b className="font-semibold">{name}</b>
        <p className="text-[15px] text-muted-foreground">{text}</p>
      </div>
    </li>
  );
}

export function ContractNote() {
  return (
    <aside className="grid content-center justify-items-center gap-4 border-border border-t bg-muted/40 p-6 text-center max-sm:p-4.5 lg:rounded-tr-xl lg:border-border lg:border-t-0 lg:border-l">
      <ContractDrawing />
      <p className="max-w-[28ch] text-muted-foreground text-sm">
        Serasi stores only this setting. The contract itself stays between you and the creator.
      </p>
    </aside>
  );
}

function ContractDrawing() {
  return (
    <svg viewBox="0 0 200 220" width="170" height="187" aria-hidden="true">
      <rect x="34" y="14" width="140" height="192" rx="12" fill="#0F4D3F" opacity=".16" />
      <rect x="24" y="6" width="140" height="192" rx="12" fill="#fff" stroke="#DBE1D8" strokeWidth="2" />
      <rect x="44" y="30" width="64" height="9" rx="4.5" fill="#14231C" />
      <path d="M47 57h94M47 73h82M47 89h90M47 105h54" stroke="#DBE1D8" strokeWidth="6" strokeLinecap="round" />
      <path
        d="M44 176q10-16 17-2t15-6 10 4 14-2"
        fill="none"
        stroke="#2F57C8"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
      <g transform="translate(134 160)">
        <path d="M0-34A34 34 0 0 0 0 34Z" fill="#0F4D3F" />
        <path d="M0-34A34 34 0 0 1 0 34Z" fill="#FF7A66" />
        <circle r="13" fill="#FCE6AE" />
      </g>
    </svg>
  );
}
