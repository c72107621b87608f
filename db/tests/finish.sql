-- What every test file ends with: `\ir ../finish.sql`. The counts, and nothing left behind.
reset role;
select * from tests.finish();
rollback;
