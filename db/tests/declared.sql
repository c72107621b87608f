-- The columns and constraints of all tables, as db/schema.snapshot declares them. A test that tries them fails when a database lacks
-- one, and covers new ones. Run psql in the root of the repository.
create temporary table declared_line (number integer generated always as identity, line text);
\copy declared_line (line) from 'db/schema.snapshot' with (format csv, delimiter E'\x01', quote E'\x02')

create temporary view declared as
select (array_agg(line) over (partition by block order by number))[1] as head, btrim(line) as line from (
  select number, line, count(*) filter (where line !~ '^ ') over (order by number) as block from declared_line) as blocks;
create temporary view declared_column as
select split_part(head, ' ', 2) as relation, split_part(line, ' ', 1) as field, split_part(line, ' ', 2) as kind, line from declared
where head ~ '^table (app|auth|storage)\.' and line !~ '^(table|constraint|grant|index|policy|rule|statistics|trigger) ';
create temporary view declared_constraint as
select split_part(head, ' ', 2) as relation, split_part(line, ' ', 2) as name, line from declared
where head ~ '^table (app|auth|storage)\.' and line ~ '^constraint ';
