-- Every test file ends with `\ir ../finish.sql`: it prints the counts and rolls everything back.
reset role;
select * from tests.finish();
rollback;
