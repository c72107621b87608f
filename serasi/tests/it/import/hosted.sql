-- A data dump of a hosted project, as pg_dump writes it.
SET session_replication_role = replica;
COPY "auth"."audit_log_entries" ("instance_id", "id", "payload", "created_at", "ip_address") FROM stdin;
00000000-0000-0000-0000-000000000000	0a000000-0000-4000-8000-000000000001	{"action":"login","actor_username":"fay@project.test"}	2025-01-02 03:04:05+00	203.0.113.7
\.
COPY "auth"."flow_state" ("id", "user_id", "auth_code", "code_challenge_method", "code_challenge", "provider_type", "provider_access_token", "provider_refresh_token", "created_at", "updated_at", "authentication_method", "auth_code_issued_at") FROM stdin;
0a000000-0000-4000-8000-000000000002	fa000000-0000-4000-8000-000000000001	code	s256	challenge	email			2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	magiclink	\N
\.
COPY "auth"."users" ("instance_id", "id", "aud", "role", "email", "encrypted_password", "email_confirmed_at", "invited_at", "confirmation_token", "confirmation_sent_at", "recovery_token", "recovery_sent_at", "email_change_token_new", "email_change", "email_change_sent_at", "last_sign_in_at", "raw_app_meta_data", "raw_user_meta_data", "is_super_admin", "created_at", "updated_at", "phone", "phone_confirmed_at", "phone_change", "phone_change_token", "phone_change_sent_at", "email_change_token_current", "email_change_confirm_status", "banned_until", "reauthentication_token", "reauthentication_sent_at", "is_sso_user", "deleted_at", "is_anonymous") FROM stdin;
00000000-0000-0000-0000-000000000000	fa000000-0000-4000-8000-000000000001	\N	\N	Fay@Project.test	$2a$04$abcdefghijklmnopqrstuuD3VH7WEvWYZbJGYTpE0sGbL0IQ1Uq2e	2025-01-02 03:04:05+00	\N		\N		\N			\N	\N	\N	\N	\N	\N	\N		\N			\N		2	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	fa000000-0000-4000-8000-000000000002			gus@project.test		2025-01-02 03:04:05+00	\N		\N		\N			\N	\N	null	{"name": null}	\N	2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	+60123456789	\N			\N		0	\N		\N	f	\N	f
\.
COPY "auth"."identities" ("provider_id", "user_id", "identity_data", "provider", "last_sign_in_at", "created_at", "updated_at", "id") FROM stdin;
fa000000-0000-4000-8000-000000000001	fa000000-0000-4000-8000-000000000001	{"sub": "fa000000-0000-4000-8000-000000000001", "email": "Fay@Project.test"}	email	\N	\N	\N	fa000000-0000-4000-8000-000000000003
\.
COPY "auth"."instances" ("id", "uuid", "raw_base_config", "created_at", "updated_at") FROM stdin;
\.
COPY "auth"."sessions" ("id", "user_id", "created_at", "updated_at", "factor_id", "aal", "not_after", "refreshed_at", "user_agent", "ip", "tag") FROM stdin;
fa000000-0000-4000-8000-000000000004	fa000000-0000-4000-8000-000000000001	2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	\N	\N	\N	2025-01-02 03:04:05	node	203.0.113.7	\N
\.
COPY "auth"."mfa_amr_claims" ("session_id", "created_at", "updated_at", "authentication_method", "id") FROM stdin;
fa000000-0000-4000-8000-000000000004	2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	password	fa000000-0000-4000-8000-000000000005
\.
COPY "auth"."mfa_factors" ("id", "user_id", "friendly_name", "factor_type", "status", "created_at", "updated_at", "secret", "phone", "last_challenged_at", "web_authn_credential", "web_authn_aaguid") FROM stdin;
fa000000-0000-4000-8000-000000000006	fa000000-0000-4000-8000-000000000001	phone	totp	verified	2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	JBSWY3DPEHPK3PXP	\N	\N	\N	\N
\.
COPY "auth"."mfa_challenges" ("id", "factor_id", "created_at", "verified_at", "ip_address", "otp_code", "web_authn_session_data") FROM stdin;
fa000000-0000-4000-8000-000000000007	fa000000-0000-4000-8000-000000000006	2025-01-02 03:04:05+00	\N	203.0.113.7	\N	\N
\.
COPY "auth"."one_time_tokens" ("id", "user_id", "token_type", "token_hash", "relates_to", "created_at", "updated_at") FROM stdin;
fa000000-0000-4000-8000-000000000008	fa000000-0000-4000-8000-000000000001	recovery_token	abc	fay@project.test	2025-01-02 03:04:05	2025-01-02 03:04:05
\.
COPY "auth"."refresh_tokens" ("instance_id", "id", "token", "user_id", "revoked", "created_at", "updated_at", "parent", "session_id") FROM stdin;
00000000-0000-0000-0000-000000000000	7	abcdefghijkl	fa000000-0000-4000-8000-000000000001	f	2025-01-02 03:04:05+00	2025-01-02 03:04:05+00	\N	fa000000-0000-4000-8000-000000000004
\.
COPY "auth"."sso_providers" ("id", "resource_id", "created_at", "updated_at", "disabled") FROM stdin;
\.
COPY "auth"."schema_migrations" ("version") FROM stdin;
20240101000000
\.
COPY "storage"."buckets" ("id", "name", "owner", "created_at", "updated_at", "public", "avif_autodetection", "file_size_limit", "allowed_mime_types", "owner_id", "type") FROM stdin;
hosted	hosted	\N	\N	\N	\N	f	\N	\N	\N	STANDARD
\.
COPY "storage"."objects" ("id", "bucket_id", "name", "owner", "created_at", "updated_at", "last_accessed_at", "metadata", "version", "owner_id", "user_metadata", "level") FROM stdin;
\.
SELECT pg_catalog.setval('"auth"."refresh_tokens_id_seq"', 1, true);
RESET ALL;
