import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { budgetOf, datesOf } from '../wording';

interface Brief {
  deliverables: string;
  message: string;
  budget_from: number | null;
  budget_to: number | null;
  starts_on: string | null;
  ends_on: string | null;
}

/** The brief as it was sent. */
export function BriefCard({ brief, children }: { brief: Brief; children?: ReactNode }) {
  const budget = budgetOf(brief.budget_from, brief.budget_to);
  const dates = datesOf(brief.starts_on, brief.ends_on);
  return (
    <Card padded className="wrap-anywhere grid gap-5">
      <div>
        <h2 className="text-[15px] text-muted-foreground">Deliverables</h2>
        <p className="mt-1 whitespace-pre-line font-semibold text-[18px]">{brief.deliverables}</p>
      </div>
      {budget || dates ? (
        <dl className="flex flex-wrap gap-x-10 gap-y-4">
          {budget ? <Fact name="Budget">{budget}</Fact> : null}
          {dates ? <Fact name="Dates">{dates}</Fact> : null}
        </dl>
      ) : null}
      <div>
        <h2 className="text-[15px] text-muted-foreground">Message</h2>
        <p className="mt-1 whitespace-pre-line leading-[1.6]">{brief.message}</p>
      </div>
      {children}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-bold text-[15px] text-muted-foreground">{name}</dt>
      <dd className="mt-1 font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

/** The influencer's answer, or the reason for declining. */
export function AnswerText({ title, text }: { title: string; text: string }) {
  return (
    <div className="wrap-anywhere border-border border-t pt-5">
      <h2 className="text-[15px] text-muted-foreground">{title}</h2>
      <p className="mt-1 whitespace-pre-line leading-[1.6]">{text}</p>
    </div>
  );
}
