// Reads the parts of a profile that are stored as JSON, without trusting their shape.
import type { Json } from './database.types';

export function objectOf(json: Json | null | undefined): Record<string, Json | undefined> {
  return json && typeof json === 'object' && !Array.isArray(json) ? json : {};
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export interface Service {
  title: string;
  description: string;
  price: string;
}

/** A service has a title or a name, a description, and a price as free text. */
export function servicesOf(json: Json | null | undefined): Service[] {
  if (!Array.isArray(json)) return [];
  return json
    .map(objectOf)
    .map((item) => ({
      title: textOf(item.title) || textOf(item.name),
      description: textOf(item.description),
      price: textOf(item.price),
    }))
    .filter((service) => service.title || service.description);
}

export interface ContentPost {
  url: string;
  title: string;
}

/** A post is a URL, or an object with image_url and title. */
export function postsOf(json: Json | null | undefined): ContentPost[] {
  if (!Array.isArray(json)) return [];
  return json
    .map((item) =>
      typeof item === 'string'
        ? { url: item, title: '' }
        : { url: textOf(objectOf(item).image_url), title: textOf(objectOf(item).title) },
    )
    .filter((post) => post.url);
}
