import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Banner } from '@/components/ui/banner';

/** A success message or a hint above a form. */
export function NoticeBanner(props: { icon: LucideIcon; title: string; text: string; children?: ReactNode }) {
  return (
    <Banner icon={props.icon} title={props.title} size="small" className="mt-6 mb-5.5" role="status">
      <p>{props.text}</p>
      {props.children}
    </Banner>
  );
}
