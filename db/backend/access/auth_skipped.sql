-- Tables of Supabase's auth server that ours does not have. They are empty: rows of seeds and data dumps are skipped.

create or replace view auth.audit_log_entries with (security_invoker = true) as
select null::uuid as instance_id, null::uuid as id, null::json as payload, null::timestamptz as created_at, null::text as ip_address where false;
create or replace trigger skip_row instead of insert on auth.audit_log_entries for each row execute function serasi.skip_row();

create or replace view auth.instances with (security_invoker = true) as
select null::uuid as id, null::uuid as uuid, null::text as raw_base_config, null::timestamptz as created_at, null::timestamptz as updated_at where false;
create or replace trigger skip_row instead of insert on auth.instances for each row execute function serasi.skip_row();

create or replace view auth.schema_migrations with (security_invoker = true) as
select null::text as version where false;
create or replace trigger skip_row instead of insert on auth.schema_migrations for each row execute function serasi.skip_row();

create or replace view auth.mfa_amr_claims with (security_invoker = true) as
select null::uuid as session_id, null::timestamptz as created_at, null::timestamptz as updated_at, null::text as authentication_method, null::uuid as id where false;
create or replace trigger skip_row instead of insert on auth.mfa_amr_claims for each row execute function serasi.skip_row();

create or replace view auth.sso_providers with (security_invoker = true) as
select null::uuid as id, null::text as resource_id, null::timestamptz as created_at, null::timestamptz as updated_at, null::boolean as disabled where false;
create or replace trigger skip_row instead of insert on auth.sso_providers for each row execute function serasi.skip_row();

create or replace view auth.sso_domains with (security_invoker = true) as
select null::uuid as id, null::uuid as sso_provider_id, null::text as domain, null::timestamptz as created_at, null::timestamptz as updated_at where false;
create or replace trigger skip_row instead of insert on auth.sso_domains for each row execute function serasi.skip_row();

create or replace view auth.saml_providers with (security_invoker = true) as
select null::uuid as id, null::uuid as sso_provider_id, null::text as entity_id, null::text as metadata_xml, null::text as metadata_url, null::jsonb as attribute_mapping, null::timestamptz as created_at, null::timestamptz as updated_at, null::text as name_id_format where false;
create or replace trigger skip_row instead of insert on auth.saml_providers for each row execute function serasi.skip_row();

create or replace view auth.saml_relay_states with (security_invoker = true) as
select null::uuid as id, null::uuid as sso_provider_id, null::text as request_id, null::text as for_email, null::text as redirect_to, null::timestamptz as created_at, null::timestamptz as updated_at, null::uuid as flow_state_id where false;
create or replace trigger skip_row instead of insert on auth.saml_relay_states for each row execute function serasi.skip_row();
