-- The columns in which a search looks for pieces of a word.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  update app.influencers set name = 'Nadia', category = 'Travel', location = 'Penang', approved = true where true;
  update app.influencers set name = 'Quixotia', username = 'wombatfan', category = 'Xylophones', location = 'Zanzibar' where id = tests.id('profile of verified');
end $$;

select set_eq(format('select id from app.influencers_containing(%L)', word), array[tests.id('profile of verified')], 'found by its ' || kind)
from (values ('name', 'quixot'), ('username', 'wombat'), ('category', 'xylophon'), ('location', 'zanzib')) as piece (kind, word);
select is_empty('select id from app.influencers_containing(''kangaroo'')', 'nothing contains it');

\ir ../finish.sql
