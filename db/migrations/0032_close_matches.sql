-- Lets app.closeness() rank the close matches of a search.
grant execute on function extensions.word_similarity(text, text) to serasi_owner;
