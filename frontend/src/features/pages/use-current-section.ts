import { useEffect, useState } from 'react';

/** Just below the sticky header. */
const READING_LINE = 140;

/** The current section: the last one whose heading has scrolled under the header. */
export function useCurrentSection(ids: string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const all = ids.join();
  useEffect(() => {
    const look = () => {
      const list = all.split(',');
      const passed = list.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < READING_LINE;
      });
      const end = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      setCurrent((end ? list : passed).at(-1) ?? list[0]);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [all]);
  return current;
}
