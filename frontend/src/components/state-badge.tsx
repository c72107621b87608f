import {
  Ban,
  Check,
  CheckCheck,
  CircleDashed,
  Clock,
  Hourglass,
  type LucideIcon,
  Star,
  Undo2,
  UserCheck,
  X,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { Chip } from '@/components/ui/chip';

/** The kind of record that has a state. */
export type StateSubject = 'enquiry' | 'application' | 'collaboration' | 'report';

type Tone = NonNullable<ComponentProps<typeof Chip>['tone']>;

/** Label, color and icon: states never differ in color alone. */
type Look = readonly [label: string, tone: Tone, icon: LucideIcon];

const ACCEPTED: Look = ['Accepted', 'green', Check];
const DECLINED: Look = ['Declined', 'quiet', X];
const WITHDRAWN: Look = ['Withdrawn', 'quiet', Undo2];
const CANCELLED: Look = ['Cancelled', 'red', Ban];
const COMPLETED: Look = ['Completed', 'green', CheckCheck];

const LOOKS: Record<StateSubject, Readonly<Record<string, Look>>> = {
  enquiry: {
    unconfirmed: ['Not confirmed', 'amber', CircleDashed],
    open: ['Open', 'blue', Clock],
    accepted: ACCEPTED,
    declined: DECLINED,
    withdrawn: WITHDRAWN,
    expired: ['Expired', 'quiet', Hourglass],
    cancelled: CANCELLED,
  },
  application: {
    applied: ['Applied', 'blue', Clock],
    shortlisted: ['Shortlisted', 'amber', Star],
    accepted: ACCEPTED,
    declined: DECLINED,
    withdrawn: WITHDRAWN,
    cancelled: CANCELLED,
    completed: COMPLETED,
  },
  collaboration: {
    accepted: ['In progress', 'blue', Clock],
    completed: COMPLETED,
    cancelled: CANCELLED,
  },
  report: {
    open: ['Open', 'coral', Clock],
    taken: ['In review', 'blue', UserCheck],
    upheld: ['Upheld', 'green', Check],
    dismissed: ['Dismissed', 'quiet', X],
  },
};

/** A state's label. One that this version of the app doesn't know is shown as the server names it. */
export const stateLabel = (of: StateSubject, state: string): string =>
  LOOKS[of][state]?.[0] ?? state.charAt(0).toUpperCase() + state.slice(1);

interface Props extends Pick<ComponentProps<typeof Chip>, 'size' | 'className'> {
  of: StateSubject;
  state: string;
}

export function StateBadge({ of, state, ...props }: Props) {
  const [, tone, Icon] = LOOKS[of][state] ?? ['', 'neutral', undefined];
  return (
    <Chip tone={tone} data-state={state} {...props}>
      {Icon ? <Icon aria-hidden="true" /> : null}
      {stateLabel(of, state)}
    </Chip>
  );
}
