import { rest } from '@/lib/supabase';
import type { ReviewForm } from './schema';

/** `paid_on_time` is asked of influencers only. */
export async function writeReview(collaborationId: string, form: ReviewForm): Promise<void> {
  const { error } = await rest()
    .from('reviews')
    .insert({
      collaboration_id: collaborationId,
      rating: Number(form.rating),
      text: form.text,
      ...(form.paid ? { paid_on_time: form.paid === 'yes' } : {}),
    });
  if (error) throw error;
}

export async function writeReviewAsGuest(token: string, form: ReviewForm): Promise<void> {
  const { error } = await rest().rpc('review_as_guest', { token, rating: Number(form.rating), text: form.text });
  if (error) throw error;
}

export async function cancelAsGuest(token: string, reason: string): Promise<void> {
  const { error } = await rest().rpc('cancel_as_guest', { token, reason });
  if (error) throw error;
}

export async function replyToReview(reviewId: string, text: string): Promise<void> {
  const { error } = await rest().rpc('reply_to_review', { review_id: reviewId, text });
  if (error) throw error;
}

export async function hideReview(reviewId: string, reason: string): Promise<void> {
  const { error } = await rest().rpc('hide_review', { review_id: reviewId, reason });
  if (error) throw error;
}
