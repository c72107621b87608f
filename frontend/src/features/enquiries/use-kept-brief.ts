// Keeps an unsent brief, even if the visitor signs in before sending it.
import type { UseFormReturn } from 'react-hook-form';
import { useKeptForm } from '@/hooks/use-kept-input';
import { readDraft } from '@/lib/draft';
import { type BriefForm, EMPTY_BRIEF } from './schema';

const KIND = 'enquiry';
/** The draft's owner while no one is signed in. The account that signs in next takes it over. */
const GUEST = 'guest';

export function keptBrief(userId: string | undefined): BriefForm {
  const kept = (userId ? readDraft<BriefForm>(KIND, userId) : undefined) ?? readDraft<BriefForm>(KIND, GUEST);
  return { ...EMPTY_BRIEF, ...kept?.values };
}

/** Returns a function that discards it. */
export const useKeptBrief = (userId: string | undefined, form: UseFormReturn<BriefForm>): (() => void) =>
  useKeptForm(KIND, userId ?? GUEST, form, EMPTY_BRIEF);
