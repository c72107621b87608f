import { paths } from './paths';

export type ShareOutcome = 'shared' | 'copied' | 'canceled' | 'failed';

/** Opens the device's share sheet, or copies the link if there is none. */
export async function shareProfile(id: string, name: string): Promise<ShareOutcome> {
  const url = new URL(paths.profile(id), window.location.origin).toString();
  try {
    if (navigator.share) {
      await navigator.share({ title: name, url });
      return 'shared';
    }
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'canceled' : 'failed';
  }
}
