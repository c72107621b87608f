// Prints the TypeScript `Database` type of the schema that the API exposes. DB_URL must be a superuser's connection
// URL.
import { generateTypescript, introspect, sortGeneratorMetadata } from '@supabase/postgrest-typegen';
import pg from 'pg';

// A function in `public` could replace one that the queries call.
const pool = new pg.Pool({ connectionString: process.env.DB_URL, options: '-c search_path=pg_catalog,pg_temp' });
try {
  const metadata = sortGeneratorMetadata(await introspect(pool, { includedSchemas: ['public'] }));
  const types = await generateTypescript(metadata, { postgrestVersion: '14', detectOneToOneRelationships: true });
  process.stdout.write(types);
} finally {
  await pool.end();
}
