import { seedStrangeRows } from './strange-rows';

/** The same rows for all tests: a list must not change while one of them counts it. */
export default async function globalSetup() {
  if (process.env.DB_URL) await seedStrangeRows(process.env.DB_URL);
}
