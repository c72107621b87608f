import { useSearchParams } from 'react-router';
import { CATEGORIES } from '@/lib/kinds';

/** The category is part of the URL, so that it can be shared and Back undoes it. An unknown one counts as All. */
export function useCategory() {
  const [params, setParams] = useSearchParams();
  const asked = params.get('category');
  const choose = (category: string) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      if (category === 'All') next.delete('category');
      else next.set('category', category);
      return next;
    });
  return { category: CATEGORIES.find((name) => name === asked) ?? 'All', choose };
}
