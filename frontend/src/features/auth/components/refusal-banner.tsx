import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Banner } from '@/components/ui/banner';
import type { Refusal } from '../refusal';

/** Repeats the error toast, so that it can still be read after the toast is gone. Children say what to do. */
export function RefusalBanner({ refusal, children }: { refusal: Refusal | undefined; children?: ReactNode }) {
  if (!refusal) return null;
  return (
    <Banner tone="red" icon={ShieldX} title={refusal.title} size="small" className="mt-6 mb-5.5" role="alert">
      {refusal.text ? <p>{refusal.text}</p> : null}
      {children}
    </Banner>
  );
}
