import { rest } from '@/lib/supabase';

/** Fails with the server's message if the report is in another state, for example because another admin was faster. */
export async function decideReport(input: {
  id: string;
  decision: 'taken' | 'upheld' | 'dismissed';
  note?: string;
  actions?: string[];
}): Promise<void> {
  const { id, decision, note, actions = [] } = input;
  const { error } = await rest().rpc('decide_report', {
    report_id: id,
    decision,
    ...(note ? { note } : {}),
    ...(actions.length > 0 ? { actions } : {}),
  });
  if (error) throw error;
}

export async function unblockSender(block: string): Promise<void> {
  const { error } = await rest().rpc('unblock_sender', { block_id: block });
  if (error) throw error;
}
