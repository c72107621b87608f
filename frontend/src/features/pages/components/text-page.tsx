import type { ReactNode } from 'react';
import { useCurrentSection } from '../use-current-section';

export interface Section {
  /** The anchor. */
  id: string;
  title: string;
  content: ReactNode;
}

/** A text page: table of contents on the left, prose on the right. */
export function TextPage(props: { title: string; lead: string; sections: Section[] }) {
  const current = useCurrentSection(props.sections.map(({ id }) => id));
  return (
    <main className="wrap">
      <div className="grid gap-6 pt-12 lg:grid-cols-[220px_minmax(0,1fr)] lg:gap-18 lg:pt-16">
        <nav className="text-[15px] max-lg:hidden lg:sticky lg:top-26 lg:self-start" aria-label="On this page">
          {props.sections.map(({ id, title }) => (
            <a
              key={id}
              href={`#${id}`}
              className={
                id === current
                  ? 'block border-accent border-l-2 py-2.25 pl-4 font-semibold'
                  : 'block border-border border-l-2 py-2.25 pl-4 text-muted-foreground'
              }
              aria-current={id === current ? 'location' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <article className="prose">
          <h1>{props.title}</h1>
          <p className="lead">{props.lead}</p>
          {props.sections.map(({ id, title, content }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {content}
            </section>
          ))}
        </article>
      </div>
    </main>
  );
}
