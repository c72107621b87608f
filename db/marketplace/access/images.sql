-- In the bucket `images`, the first folder of a key is the ID of its owner; a key without a folder has no owner.
-- `path_tokens` is the key split at slashes, and its first element is indexed, unlike (storage.foldername(name))[1]. The
-- storage service itself serves public images, so users don't need to read each other's rows.
drop policy if exists "people have the images under their own id" on storage.objects;
create policy "people have the images under their own id" on storage.objects to authenticated
  using (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1)
  with check (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1);
