-- Every test file ends with `\ir ../finish.sql`, which prints the number of tests and rolls everything back.
reset role;
select * from tests.finish();
rollback;
