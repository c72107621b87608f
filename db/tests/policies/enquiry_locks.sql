-- The accounts whose rows a change of an enquiry locks, so that neither side can be deleted meanwhile.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.enquiry_briefs;
  update auth.users set email_confirmed_at = now();
  perform tests.become('service');
  perform public.send_enquiries(tests.id('agency'), '203.0.113.1', array[tests.id('profile of verified')], 'Two reels', 'Would you show our new menu?');
  perform public.send_enquiries(null, '203.0.113.1', array[tests.id('profile of verified')], 'Two reels', 'Would you show our new menu?',
    name => 'Guest', email => 'guest@mail.test');
  perform tests.step_down();
end $$;

select set_eq(format('select app.enquiry_parties(%L)', id), array[tests.id('agency'), tests.id('verified')], 'both accounts')
from app.enquiries where sender_user_id is not null;
select set_eq(format('select app.enquiry_parties(%L)', id), array[tests.id('verified')], 'a guest has no account')
from app.enquiries where sender_user_id is null;
select is(count(*), 2::bigint, 'one enquiry by each sender') from app.enquiries;

\ir ../finish.sql
