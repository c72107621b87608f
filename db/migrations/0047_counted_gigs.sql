-- What the policy of gigs compares. A list that counts all gigs reads this index instead of the table.
set local role serasi_owner;

create index gigs_counted on app.gigs (closed_at, agency_id);

reset role;
