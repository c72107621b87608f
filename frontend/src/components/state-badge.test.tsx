import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { StateBadge, type StateSubject } from './state-badge';

const LABELS: Record<StateSubject, Record<string, string>> = {
  enquiry: {
    unconfirmed: 'Not confirmed',
    open: 'Open',
    accepted: 'Accepted',
    declined: 'Declined',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    cancelled: 'Cancelled',
  },
  application: {
    applied: 'Applied',
    shortlisted: 'Shortlisted',
    accepted: 'Accepted',
    declined: 'Declined',
    withdrawn: 'Withdrawn',
    cancelled: 'Cancelled',
    completed: 'Completed',
  },
  collaboration: { accepted: 'In progress', completed: 'Completed', cancelled: 'Cancelled' },
  report: { open: 'Open', taken: 'In review', upheld: 'Upheld', dismissed: 'Dismissed' },
};

const CASES = (Object.keys(LABELS) as StateSubject[]).flatMap((of) =>
  Object.entries(LABELS[of]).map(([state, label]) => ({ of, state, label })),
);

it.each(CASES)('$of $state reads $label, with an icon that screen readers skip', ({ of, state, label }) => {
  const { container } = render(<StateBadge of={of} state={state} />);
  expect(container).toHaveTextContent(label);
  expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true');
});

it('the states of one subject differ in label, and in color or icon', () => {
  for (const of of Object.keys(LABELS) as StateSubject[]) {
    const looks = Object.keys(LABELS[of]).map((state) => {
      const { container, unmount } = render(<StateBadge of={of} state={state} />);
      const look = [container.querySelector('span')?.className, container.querySelector('path')?.getAttribute('d')];
      unmount();
      return look.join(' ');
    });
    expect(new Set(looks).size).toBe(looks.length);
  }
});

it('shows an unknown state as the server names it', () => {
  render(<StateBadge of="report" state="escalated" />);
  expect(screen.getByText('Escalated')).toHaveAttribute('data-state', 'escalated');
});
