import { seedStrangeRows } from './strange-rows';

/** Gives all tests the same rows: a list must not change while a test counts it. */
export default async function globalSetup() {
  if (process.env.DB_URL) await seedStrangeRows(process.env.DB_URL);
}
