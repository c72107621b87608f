// Polling for helpers that run under Playwright and under Vitest.
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL = 25;

/**
 * Retries `attempt` until it no longer throws, and returns its result. After `patience` milliseconds its error is
 * thrown.
 */
export async function eventually<Result>(attempt: () => Promise<Result>, patience = 15_000): Promise<Result> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await delay(INTERVAL);
  }
}
