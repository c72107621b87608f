// Prints the TypeScript `Database` type of the schema that the API exposes. DB_URL must be a superuser's connection
// URL.
import { generateTypescript, introspect, sortGeneratorMetadata } from '@supabase/postgrest-typegen';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DB_URL });
try {
  const metadata = sortGeneratorMetadata(await introspect(pool, { includedSchemas: ['public'] }));
  const types = await generateTypescript(metadata, { postgrestVersion: '14', detectOneToOneRelationships: true });
  process.stdout.write(types);
} finally {
  await pool.end();
}
