import { lazy, type ReactNode, Suspense } from 'react';
import { Loader } from '@/components/empty-state';

const ReviewList = lazy(() => import('./review-list'));

interface Profile {
  id: string | null;
  user_id: string | null;
  name: string | null;
  rating: number | null;
  review_count: number | null;
}

/** The reviews of a profile; null if there are none. */
export function reviewsOf(kind: 'influencer' | 'agency', profile: Profile): ReactNode {
  const { id, user_id: userId, rating, review_count: count } = profile;
  if (!id || !count) return null;
  return (
    <Suspense fallback={<Loader label="Loading reviews..." />}>
      <ReviewList subject={{ kind, id, userId, rating, count, name: profile.name ?? '' }} />
    </Suspense>
  );
}
