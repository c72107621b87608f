// Prints the TypeScript `Database` type of the schemas in DB_SCHEMAS (comma-separated; default: public). DB_URL must be a
// superuser's connection URL.
import { generateTypescript, introspect, sortGeneratorMetadata } from '@supabase/postgrest-typegen';
import pg from 'pg';

const { DB_URL, DB_SCHEMAS = 'public' } = process.env;
const includedSchemas = DB_SCHEMAS.split(',').map((name) => name.trim());
// A superuser's queries must not call functions that somebody defined in `public`.
const pool = new pg.Pool({ connectionString: DB_URL, options: '-c search_path=pg_catalog,pg_temp' });
try {
  const metadata = sortGeneratorMetadata(await introspect(pool, { includedSchemas }));
  const missing = includedSchemas.find((name) => !metadata.schemas.some((schema) => schema.name === name));
  if (missing) throw new Error(`there is no schema ${missing}`);
  const types = await generateTypescript(metadata, { postgrestVersion: '14', detectOneToOneRelationships: true });
  process.stdout.write(types);
} finally {
  await pool.end();
}
